import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { signInUrl } from '../../console/access/sign-in-url.ts';
import { lockUnused } from '../../db/sqlite/sqlite-restore.ts';
import { errorMessage } from '../../error-message.ts';
import { networksFile, snapshotFile } from '../../files/compiled-files.ts';
import { type Command, UsageError } from '../command.ts';
import type { CommandIo } from '../io.ts';
import { announceListBuild } from '../list-build.ts';
import { runAttack, watchedAttack } from './demo-attack.ts';
import type { DemoAccess } from './demo-fill.ts';
import { startReceiver } from './demo-receiver.ts';

/** More would exceed the credits of the demonstration's plan. */
const maxDecisions = 100_000;

/** `signalpost demo`. */
export const demoCommand: Command = {
  name: 'demo',
  usage: '[--decisions N] [--attack MINUTES] [--replace]',
  summary:
    'Fill a separate data directory (DATA_DIR/demo) with a made-up month, and start on it: a first look without a network',
  options: {
    decisions: {
      type: 'string',
      value: 'N',
      help: `how many decisions to make up, up to ${maxDecisions}; default about 2,000`,
    },
    attack: {
      type: 'string',
      value: 'MINUTES',
      help: 'when an attack begins after the start, which is raised as a wave; default 2, 0 for none',
    },
    replace: { type: 'boolean', help: 'remove the data of an earlier demonstration first' },
  },
  example: 'demo --decisions 500',
  positionals: [0, 0],
  async run({ config: given, flags, options, json, io }) {
    const decisions = readDecisions(options.decisions);
    const attackMs = readMinutes(options.attack) * 60_000;
    const receiver = await startReceiver();
    const config = demoConfig(given, receiver);
    emptyFolder(config.dataDir, flags.has('replace'));
    reuseLists(given.dataDir, config.dataDir);
    announceListBuild(config.dataDir, io);
    const { serve } = await import('../../main.ts');
    const { createDemoFacts } = await import('./demo-facts.ts');
    const { fillDemo } = await import('./demo-fill.ts');
    const endMs = Date.now();
    const facts = createDemoFacts(endMs);
    const access = await fillDemo(config, facts, {
      endMs,
      decisions,
      receiver,
      onProgress: progressOn(io.stderr),
    });
    await serve(
      config,
      ({ address }) => {
        const base = config.publicUrl ?? address;
        io.stdout.write(json ? `${JSON.stringify(document(address, base, access))}\n` : greeting(base, access));
        if (attackMs > 0) void attack(address, access, attackMs, io);
      },
      { facts },
    );
    return null;
  },
};

/** The demo sends no network query and writes only to its own folder. */
function demoConfig(config: Config, receiver: string): Config {
  return {
    ...config,
    dataDir: join(config.dataDir, 'demo'),
    databaseUrl: null,
    redisUrl: null,
    workers: 1,
    plansFile: null,
    offline: true,
    outboundAllow: [receiver],
    listsRefresh: 'off',
    learnMailServers: false,
    decisionLogDays: Math.max(config.decisionLogDays, 35),
  };
}

/** The attack begins while the user watches; a failure ends it and is reported. */
async function attack(address: string, { first, gateId }: DemoAccess, afterMs: number, io: CommandIo): Promise<void> {
  const key = first.keys.find(({ environment }) => environment === 'production')?.key ?? '';
  try {
    await runAttack({ address, key, gateId }, { ...watchedAttack, afterMs });
  } catch (error) {
    io.stderr.write(`The attack of the demonstration ended: ${errorMessage(error)}\n`);
  }
}

function readMinutes(text: string | undefined): number {
  if (text === undefined) return 2;
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`--attack is a number of minutes up to 999, not "${text}"`);
  return Number(text);
}

function readDecisions(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > maxDecisions)
    throw new UsageError(`--decisions is a number from 1 to ${maxDecisions}, not "${text}"`);
  return Number(text);
}

/** The lists stay: compiling them takes longer than all the rest. */
function emptyFolder(dataDir: string, replace: boolean): void {
  const file = join(dataDir, 'signalpost.db');
  if (!existsSync(file)) return;
  if (!replace)
    throw new Error(`${dataDir} has the data of an earlier demonstration; --replace removes it and starts over`);
  using _lock = lockUnused(file);
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}

/** Lists that a service in the data directory has built: building them takes half of the start's processor time. */
function reuseLists(from: string, to: string): void {
  for (const fileIn of [snapshotFile, networksFile]) {
    const [built, reused] = [fileIn(from), fileIn(to)];
    if (existsSync(built) && !existsSync(reused)) cpSync(built, reused, { recursive: true });
  }
}

/** Percentages on one line of a terminal; one line per quarter elsewhere. */
function progressOn(stream: CommandIo['stderr']): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    const percent = Math.floor((done * 100) / total);
    if (percent === shown || (!stream.isTTY && percent % 25 > 0)) return;
    shown = percent;
    const text = `Making up a month of decisions: ${percent} %`;
    stream.write(stream.isTTY ? `\r${text}${percent === 100 ? '\n' : ''}` : `${text}\n`);
  };
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
    'Keep the overview open: an attack begins in a few minutes.',
    'This link signs you in once:',
    `  ${signInUrl(base, invitation.link.token)}`,
    `After that: ${invitation.user.email}, password "${password}"`,
    `The API: curl -H "Authorization: Bearer ${production?.key}" ${base}/status`,
    '',
  ].join('\n');
}
