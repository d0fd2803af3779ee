import { dirname } from 'node:path';
import { emptyPostgresUrl } from '../../services.ts';
import { type AuthServerKind, runProgram, startProgram, stopProgram } from './auth-server.ts';
import { freePort } from './free-port.ts';

/** Supabase Auth with PostgreSQL; its migrations are in the folder `migrations` beside the program. */
export const supabase: AuthServerKind = {
  variable: 'SUPABASE_AUTH',
  joinSecrets: (secrets) => secrets.join('|'),
  async start(program, { url, secret }) {
    const database = await emptyPostgresUrl();
    const { Client } = await import('pg');
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query('create schema auth');
    // The migrations grant rights to the roles of a Supabase project.
    for (const role of ['anon', 'authenticated', 'service_role', 'postgres', 'supabase_admin', 'supabase_auth_admin']) {
      await client.query(`do $$ begin create role ${role}; exception when duplicate_object then null; end $$`);
    }
    await client.end();
    const port = await freePort();
    const own = new URL(database);
    own.search = '?search_path=auth&sslmode=disable';
    const env = {
      DATABASE_URL: own.href,
      GOTRUE_DB_DRIVER: 'postgres',
      GOTRUE_DB_NAMESPACE: 'auth',
      DB_NAMESPACE: 'auth',
      API_EXTERNAL_URL: `http://127.0.0.1:${port}`,
      GOTRUE_API_HOST: '127.0.0.1',
      PORT: String(port),
      GOTRUE_SITE_URL: 'http://127.0.0.1',
      GOTRUE_JWT_SECRET: 'a-secret-for-tests-only-0123456789',
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
      GOTRUE_RATE_LIMIT_HEADER: '',
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
      ...(url === null
        ? {}
        : {
            GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED: 'true',
            GOTRUE_HOOK_BEFORE_USER_CREATED_URI: url,
            GOTRUE_HOOK_BEFORE_USER_CREATED_SECRETS: secret,
          }),
    };
    const cwd = dirname(program);
    await runProgram(program, ['migrate'], env, cwd);
    const child = await startProgram(program, ['serve'], { env, cwd, readyUrl: `http://127.0.0.1:${port}/health` });
    const post = async (sent: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
      const body = (await answer.json()) as { msg?: string; message?: string };
      return { status: answer.status, message: body.msg ?? body.message ?? '' };
    };
    return {
      signUp: (email) => post({ email, password: 'a long password 93' }),
      signUpAnonymously: () => post({}),
      stop: () => stopProgram(child),
    };
  },
};
