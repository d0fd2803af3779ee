import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kratos as format } from '../../../src/hooks/formats/kratos.ts';
import { temporaryDirectory } from '../../engines.ts';
import { emptyPostgresUrl } from '../../services.ts';
import { type AuthServerKind, runProgram, startProgram, stopProgram } from './auth-server.ts';
import { freePort } from './free-port.ts';

const identitySchema = {
  $id: 'person',
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          'ory.sh/kratos': { credentials: { password: { identifier: true } } },
        },
      },
      required: ['email'],
    },
  },
};

/** Ory Kratos with PostgreSQL, configured with the YAML that the hook's configuration shows. */
export const kratos: AuthServerKind = {
  variable: 'KRATOS',
  async start(program, { url, secret }) {
    const folder = temporaryDirectory();
    const database = new URL(await emptyPostgresUrl());
    database.search = '?sslmode=disable';
    const [port, adminPort] = [await freePort(), await freePort()];
    writeFileSync(join(folder, 'identity.json'), JSON.stringify(identitySchema));
    const [step] = url === null ? [] : format.configuration(url, secret);
    const hooks = step?.code?.split('\n').slice(1).join('\n') ?? '';
    const file = join(folder, 'kratos.yml');
    writeFileSync(file, configuration({ database: database.href, folder, port, adminPort, hooks }));
    const env = { SQA_OPT_OUT: 'true', LOG_LEVEL: 'error' };
    await runProgram(program, ['migrate', 'sql', 'up', '--yes', '--config', file, database.href], env);
    const parameters = ['serve', '--dev', '--sqa-opt-out', '--config', file];
    const readyUrl = `http://127.0.0.1:${adminPort}/admin/health/ready`;
    const child = await startProgram(program, parameters, { env, readyUrl });
    const base = `http://127.0.0.1:${port}`;
    return {
      async signUp(email) {
        const flow = (await (await fetch(`${base}/self-service/registration/api`)).json()) as { id: string };
        const answer = await fetch(`${base}/self-service/registration?flow=${flow.id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'true-client-ip': '8.8.8.8' },
          body: JSON.stringify({ method: 'password', password: 'a long password 93', traits: { email } }),
        });
        return { status: answer.status, message: messageIn((await answer.json()) as Flow) };
      },
      stop: () => stopProgram(child),
    };
  },
};

interface Flow {
  readonly ui?: {
    readonly nodes: readonly { readonly messages?: readonly { readonly text: string }[] }[];
    messages?: readonly { text: string }[];
  };
  readonly error?: { readonly message: string; readonly reason?: string };
}

/** The messages beside the fields and above the form; an error of the server otherwise. */
function messageIn({ ui, error }: Flow): string {
  const shown = [...(ui?.nodes.flatMap(({ messages = [] }) => messages) ?? []), ...(ui?.messages ?? [])];
  return shown.map(({ text }) => text).join(' ') || (error?.reason ?? error?.message ?? '');
}

interface KratosSettings {
  readonly database: string;
  readonly folder: string;
  readonly port: number;
  readonly adminPort: number;
  /** `flows.registration.after`, indented as below `selfservice`. */
  readonly hooks: string;
}

const configuration = ({ database, folder, port, adminPort, hooks }: KratosSettings): string => `dsn: ${database}
serve:
  public:
    host: 127.0.0.1
    port: ${port}
    base_url: http://127.0.0.1:${port}/
  admin:
    host: 127.0.0.1
    port: ${adminPort}
    base_url: http://127.0.0.1:${adminPort}/
identity:
  default_schema_id: person
  schemas:
    - id: person
      url: file://${folder}/identity.json
cookies:
  same_site: Lax
secrets:
  cookie:
    - a-secret-for-tests-only-0123456789
  cipher:
    - 32-characters-for-tests-01234567
courier:
  smtp:
    connection_uri: smtp://127.0.0.1:9/
selfservice:
  default_browser_return_url: http://127.0.0.1:${port}/
  methods:
    password:
      enabled: true
      config:
        haveibeenpwned_enabled: false
${hooks}
`;
