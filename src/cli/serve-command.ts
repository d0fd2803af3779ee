import cluster from 'node:cluster';
import { signInUrl } from '../console/access/sign-in-url.ts';
import { lockDataDir } from '../db/sqlite/sqlite.ts';
import type { Started } from '../main.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { type FirstSecrets, openSecretsFile } from './first-secrets.ts';

/** `signalpost serve`. */
export const serveCommand: Command = {
  name: 'serve',
  usage: '',
  summary: 'Run the service; the first start creates an account, and a key and a gate per environment',
  options: {},
  example: 'serve',
  positionals: [0, 0],
  async run({ config, json, io }) {
    const { firstKeysFile } = config;
    // Before anything is created: a file that cannot be written would lose the keys.
    const secretsFile = firstKeysFile === null || !cluster.isPrimary ? null : openSecretsFile(firstKeysFile);
    const greet = (started: Started): void => {
      const base = config.publicUrl ?? started.address;
      const secrets = secretsOf(started, base);
      const shown = secretsFile === null ? secrets : secretsFile.write(secrets);
      io.stdout.write(json ? `${JSON.stringify(document(started, base, shown))}\n` : greeting(started, base, shown));
    };
    // The parent holds the lock for its workers.
    const lock = config.databaseUrl === null && cluster.isPrimary ? lockDataDir(config.dataDir) : null;
    try {
      if (config.workers === 1) await (await import('../main.ts')).serve(config, greet);
      else await (await import('../workers/workers.ts')).serveWithWorkers(config, greet);
    } finally {
      lock?.release();
    }
    return null;
  },
};

function secretsOf(started: Started, base: string): FirstSecrets {
  const { first, invitation } = started;
  return {
    keys: first?.keys ?? [],
    example: decidingCall(started),
    signInLink: invitation === null ? null : signInUrl(base, invitation.link.token),
    file: null,
  };
}

/** A command that decides a sign-up: with the first key that was generated, or with a placeholder if the operator chose all. */
function decidingCall({ address, first, gates }: Started): string | null {
  const [generated] = first?.keys ?? [];
  const gate = gates.find(({ environment }) => environment === (generated?.environment ?? 'production'));
  if (gate === undefined) return null;
  const key = generated?.key ?? `KEY_FOR_${gate.environment.toUpperCase()}`;
  const headers = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`;
  return `curl ${address}/v1/gates/${gate.id}/decisions ${headers} -d '{"email":"joe@mailinator.com"}'`;
}

function document(started: Started, base: string, { keys, signInLink, file }: FirstSecrets): object {
  const { address, first, gates } = started;
  return {
    address,
    account: first?.account.id ?? null,
    keys,
    gates,
    console: { address: `${base}/console`, sign_in_link: signInLink },
    ...(file === null ? {} : { first_keys_file: file }),
  };
}

function greeting(started: Started, base: string, shown: FirstSecrets): string {
  const { address, isEveryAddress, first } = started;
  const { signInLink, file } = shown;
  const everywhere = isEveryAddress ? ', on every address of this machine' : '';
  const lines = [`Signalpost ${version} listens on ${address}${everywhere}`, `The console is at ${base}/console`];
  if (file !== null) lines.push(`Keys and the sign-in link that were made at this start are in ${file}`);
  if (signInLink !== null) {
    lines.push('No user has signed in yet. This link signs you in once, within a day:');
    lines.push(`  ${signInLink}`);
  }
  if (first !== null) lines.push('', ...firstStart(started, first.account.id, shown), '');
  return `${lines.join('\n')}\n`;
}

/** The lines about the account, keys and gates that the first start created. */
function firstStart({ address, gates }: Started, accountId: string, { keys, example, file }: FirstSecrets): string[] {
  const row = (environment: string, value: string): string => `  ${environment.padEnd(12)} ${value}`;
  const lines = [`First start: account ${accountId}`];
  const [generated] = keys;
  if (generated !== undefined) {
    lines[0] += ', one key per environment. They are shown only now:';
    lines.push(...keys.map(({ environment, key }) => row(environment, key)));
  }
  if (gates.length > 0) lines.push('', 'A gate "Sign-up" with rules for a sign-up form, per environment:');
  lines.push(...gates.map(({ environment, id }) => row(environment, id)));
  if (example !== null) lines.push('', 'Decide a sign-up:', `  ${example}`);
  else if (file !== null && gates.length > 0) lines.push(`A command that decides a sign-up is in ${file}`);
  if (generated !== undefined)
    lines.push('', 'Plan and credits:', `  curl -H "Authorization: Bearer ${generated.key}" ${address}/status`);
  return lines;
}
