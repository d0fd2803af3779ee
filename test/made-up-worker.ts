import { appendFileSync } from 'node:fs';
import { connectCalls } from '../src/workers/calls.ts';

/** A worker that serves nothing: it records in `WORKER_RECORD` what the pool asks of it, and fails as `WORKER_FAULT` says. */
const fault = process.env.WORKER_FAULT ?? '';
const record = (line: string): void => appendFileSync(process.env.WORKER_RECORD ?? '', `${line}\n`);

if (fault === 'exits before it listens') process.exit(3);
if (fault === 'ignores SIGTERM') process.on('SIGTERM', () => {});

const channel = {
  send: (message: unknown) => process.send?.(message),
  on: (event: 'message', listener: (message: unknown) => void) => process.on(event, listener),
};
const call = connectCalls(channel, {
  ownMetrics: async () => `# HELP pid The process\n# TYPE pid gauge\npid ${process.pid}\n`,
  async releaseLeasesOf(holder: string) {
    if (fault === 'cannot release leases') throw new Error('the database is unavailable');
    record(`released ${holder}`);
  },
});
await call('registerHolder', `holder ${process.pid}`);
record(`started ${process.pid} LISTS_REFRESH=${process.env.LISTS_REFRESH ?? ''}`);
await call('started', { address: String(process.pid), isEveryAddress: false, first: null, invitation: null });
