/** A framework for which the client has a guard. */
export interface GuardedStack {
  readonly name: string;
  /** The code to paste, with the gate filled in. */
  readonly code: (gateId: string) => string;
}

const client = (guard: string, from: string): string[] => [
  "import { Signalpost } from '@signalpost/client';",
  `import { ${guard} } from '@signalpost/client/${from}';`,
  '',
  'const client = new Signalpost({ apiKey: process.env.SIGNALPOST_KEY, baseUrl: process.env.SIGNALPOST_URL });',
];

/** Frameworks whose sign-up is your own code; the guide of the client explains their options. */
export const guardedStacks: readonly GuardedStack[] = [
  {
    name: 'Better Auth',
    code: (gateId) =>
      [
        ...client('signUpGuard', 'better-auth'),
        "import { APIError } from 'better-auth/api';",
        '',
        '// In the options of betterAuth:',
        'databaseHooks: {',
        `  user: { create: { before: signUpGuard({ client, gateId: '${gateId}', APIError }) } },`,
        '},',
      ].join('\n'),
  },
  {
    name: 'Auth.js',
    code: (gateId) =>
      [
        ...client('signInGuard', 'auth-js'),
        '',
        '// In the options of Auth.js:',
        'callbacks: {',
        `  signIn: signInGuard({ client, gateId: '${gateId}', isNew, refusedUrl: '/sign-up/refused' }),`,
        '},',
        '',
        '// Every sign-in calls this: say who is new.',
        'const isNew = async ({ email }) => !(await users.exists(email));',
      ].join('\n'),
  },
  {
    name: 'Next.js',
    code: (gateId) =>
      [
        ...client('guardRoute', 'next'),
        '',
        `export const POST = guardRoute({ client, gateId: '${gateId}' }, async (request) => {`,
        '  // your sign-up',
        '});',
      ].join('\n'),
  },
  {
    name: 'Express',
    code: (gateId) =>
      [
        ...client('signUpGuard', 'express'),
        '',
        `app.post('/signup', express.json(), signUpGuard({ client, gateId: '${gateId}' }), signUp);`,
      ].join('\n'),
  },
  {
    name: 'Fastify',
    code: (gateId) =>
      [
        ...client('signUpGuard', 'fastify'),
        '',
        `app.post('/signup', { preHandler: signUpGuard({ client, gateId: '${gateId}' }) }, signUp);`,
      ].join('\n'),
  },
  {
    name: 'Hono',
    code: (gateId) =>
      [
        ...client('signUpGuard', 'hono'),
        '',
        `app.post('/signup', signUpGuard({ client, gateId: '${gateId}' }), signUp);`,
      ].join('\n'),
  },
  {
    name: 'Nest',
    code: (gateId) =>
      [
        ...client('signUpGuard', 'express'),
        '',
        '// In the module of your sign-up:',
        'configure(consumer: MiddlewareConsumer) {',
        `  consumer.apply(signUpGuard({ client, gateId: '${gateId}' })).forRoutes('signup');`,
        '}',
      ].join('\n'),
  },
];
