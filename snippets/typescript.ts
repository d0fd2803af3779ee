import {
  actionsComment,
  failureComment,
  invalidMessage,
  type Language,
  literal,
  type Syntax,
  timeoutSeconds,
} from './snippet.ts';

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const syntax: Syntax = {
  words: { null: 'null', true: 'true', false: 'false' },
  object: ['{ ', ' }'],
  emptyObject: '{}',
  pair: ': ',
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : text(name)),
  text,
};

/** TypeScript: `fetch` for any call, `@signalpost/client` for decisions. */
export const typescript: Language = {
  name: 'TypeScript',
  call({ baseUrl, key }, { method, target, body }) {
    const bearer = key === null ? `\`Bearer $\{process.env.SIGNALPOST_KEY}\`` : text(`Bearer ${key}`);
    return [
      `const response = await fetch(${text(baseUrl + target)}, {`,
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      `  headers: { Authorization: ${bearer}${body === undefined ? '' : ", 'Content-Type': 'application/json'"} },`,
      ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, syntax, '  ')}),`]),
      '});',
      'console.log(response.status, await response.text());',
      '',
    ].join('\n');
  },
  decide({ baseUrl, key }, decision) {
    const { gateId, email, ip, onFailure, onChallenge } = decision;
    const action =
      onChallenge === 'confirm'
        ? 'decision.action'
        : `decision.action === 'challenge' ? '${onChallenge}' : decision.action`;
    return `import { Signalpost, ValidationError } from '@signalpost/client';

const client = new Signalpost({
  apiKey: ${key === null ? 'process.env.SIGNALPOST_KEY' : text(key)},
  baseUrl: ${text(baseUrl)},
});

/** Returns the action for a sign-up and a message for the visitor. */
async function decide(email: string, ip: string) {
  try {
    // ${failureComment(decision)}
    const options = { failOpen: '${onFailure}', timeoutMs: ${timeoutSeconds}_000 } as const;
    const { decision } = await client.gates.decide(${text(gateId)}, { email, ip }, options);
    const action = ${action};
    return { action, message: decision.matched_rule?.message ?? null };
  } catch (error) {
    if (!(error instanceof ValidationError && error.code === 'invalid_email')) throw error; // such as a wrong key
    return { action: 'block', message: ${text(invalidMessage)} };
  }
}

const { action, message } = await decide(${text(email)}, ${text(ip)});
console.log(action, message);
// ${actionsComment(decision)}
`;
  },
};
