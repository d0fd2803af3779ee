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
  summary: 'Run the service; the first start creates an account and a key per environment',
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

function secretsOf({ first, invitation }: Started, base: string): FirstSecrets {
  return {
    keys: first?.keys ?? [],
    signInLink: invitation === null ? null : signInUrl(base, invitation.link.token),
    file: null,
  };
}

function document({ address, first }: Started, base: string, { keys, signInLink, file }: FirstSecrets): object {
  return {
    address,
    account: first?.account.id ?? null,
    keys,
    console: { address: `${base}/console`, sign_in_link: signInLink },
    ...(file === null ? {} : { first_keys_file: file }),
  };
}

function greeting({ address, isEveryAddress, first }: Started, base: string, shown: FirstSecrets): string {
  const { keys, signInLink, file } = shown;
  const everywhere = isEveryAddress ? ', on every address of this machine' : '';
  const lines = [`Signalpost ${version} listens on ${address}${everywhere}`, `The console is at ${base}/console`];
  if (file !== null) lines.push(`Keys and the sign-in link that were made at this start are in ${file}`);
  if (signInLink !== null) {
    lines.push('No user has signed in yet. This link signs you in once, within a day:');
    lines.push(`  ${signInLink}`);
  }
  const [production] = keys;
  if (first !== null && production !== undefined) {
    lines.push(
      '',
      `First start: account ${first.account.id}, one key per environment. They are shown only now:`,
      ...keys.map(({ environment, key }) => `  ${environment.padEnd(12)} ${key}`),
      '',
      'Try it:',
      `  curl -H "Authorization: Bearer ${production.key}" ${address}/status`,
      '',
    );
  } else if (first !== null) {
    lines.push('', `First start: account ${first.account.id}`, '');
  }
  return `${lines.join('\n')}\n`;
}
