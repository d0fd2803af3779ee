import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { signInUrl } from '../../console/access/sign-in-url.ts';
import type { Command } from '../command.ts';
import type { DemoAccess } from './demo-fill.ts';

/** `signalpost demo`. */
export const demoCommand: Command = {
  name: 'demo',
  usage: '',
  summary:
    'Fill a data directory of its own (DATA_DIR/demo) with a made-up month, and start on it: a first look without a network',
  options: {},
  positionals: [0, 0],
  async run({ config: given, json, io }) {
    const config = demoConfig(given);
    emptyFolder(config.dataDir);
    const { serve } = await import('../../main.ts');
    const { createDemoFacts } = await import('./demo-facts.ts');
    const { fillDemo } = await import('./demo-fill.ts');
    const endMs = Date.now();
    const facts = createDemoFacts(endMs);
    io.stderr.write('Making up a month of decisions …\n');
    const access = await fillDemo(config, facts, endMs);
    await serve(
      config,
      ({ address }) => {
        const base = config.publicUrl ?? address;
        io.stdout.write(json ? `${JSON.stringify(document(address, base, access))}\n` : greeting(base, access));
      },
      { facts },
    );
    return null;
  },
};

/** The demo sends no network query and writes only to its own folder. */
function demoConfig(config: Config): Config {
  return {
    ...config,
    dataDir: join(config.dataDir, 'demo'),
    databaseUrl: null,
    redisUrl: null,
    workers: 1,
    plansFile: null,
    offline: true,
    listsRefresh: 'off',
    learnMailServers: false,
    decisionLogDays: Math.max(config.decisionLogDays, 35),
  };
}

/** The lists stay: compiling them takes longer than all the rest. */
function emptyFolder(dataDir: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(join(dataDir, `signalpost.db${ending}`), { force: true });
}

function document(address: string, base: string, { first, invitation, password }: DemoAccess): object {
  return {
    address,
    account: first.account.id,
    keys: first.keys,
    console: {
      address: `${base}/console`,
      sign_in_link: signInUrl(base, invitation.link.token),
      email: invitation.user.email,
      password,
    },
  };
}

function greeting(base: string, { first, invitation, password }: DemoAccess): string {
  const [production] = first.keys;
  return [
    `The demonstration is at ${base}/console; everything in it is made up, and nothing leaves this machine.`,
    'This link signs you in once:',
    `  ${signInUrl(base, invitation.link.token)}`,
    `After that: ${invitation.user.email}, password "${password}"`,
    `The API: curl -H "Authorization: Bearer ${production?.key}" ${base}/status`,
    '',
  ].join('\n');
}
