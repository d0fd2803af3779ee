import cluster from 'node:cluster';
import { signInUrl } from '../console/access/sign-in-url.ts';
import { lockDataDir } from '../db/sqlite/sqlite.ts';
import type { Started } from '../main.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';

/** `signalpost serve`. */
export const serveCommand: Command = {
  name: 'serve',
  usage: '',
  summary: 'Run the service; the first start creates an account and a key per environment',
  options: {},
  example: 'serve',
  positionals: [0, 0],
  async run({ config, json, io }) {
    const greet = (started: Started): void => {
      const base = config.publicUrl ?? started.address;
      io.stdout.write(json ? `${JSON.stringify(document(started, base))}\n` : greeting(started, base));
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

function document({ address, first, invitation }: Started, base: string): object {
  const link = invitation === null ? null : signInUrl(base, invitation.link.token);
  return {
    address,
    account: first?.account.id ?? null,
    keys: first?.keys ?? [],
    console: { address: `${base}/console`, sign_in_link: link },
  };
}

function greeting({ address, isEveryAddress, first, invitation }: Started, base: string): string {
  const everywhere = isEveryAddress ? ', on every address of this machine' : '';
  const lines = [`Signalpost ${version} listens on ${address}${everywhere}`, `The console is at ${base}/console`];
  if (invitation !== null) {
    lines.push('No user has signed in yet. This link signs you in once, within a day:');
    lines.push(`  ${signInUrl(base, invitation.link.token)}`);
  }
  if (first !== null) {
    const [production] = first.keys;
    lines.push(
      '',
      `First start: account ${first.account.id}, one key per environment. They are shown only now:`,
      ...first.keys.map(({ environment, key }) => `  ${environment.padEnd(12)} ${key}`),
      '',
      'Try it:',
      `  curl -H "Authorization: Bearer ${production?.key}" ${address}/status`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
