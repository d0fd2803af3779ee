import type { Environment } from '../src/http/endpoint.ts';
import { ulid } from '../src/ulid.ts';
import type { StartedApp } from './start-app.ts';

/** Stores an open wave of the domain `wave.example`, and returns its id. */
export async function storeWave(
  {
    db,
    first,
    clock,
  }: Pick<StartedApp, 'db'> & { readonly first: { readonly id: string }; readonly clock: { now(): number } },
  changes: {
    readonly account_id?: string;
    readonly environment?: Environment;
    readonly [column: string]: unknown;
  } = {},
): Promise<string> {
  const beganAtMs = clock.now();
  const row = {
    id: ulid(beganAtMs).toLowerCase(),
    account_id: first.id,
    environment: 'production',
    kind: 'domain',
    value: 'wave.example',
    key: 7,
    began_at: beganAtMs,
    last_at: beganAtMs,
    ended_at: null,
    addresses: 9,
    domains: 1,
    ips: 3,
    allow: 7,
    block: 2,
    challenge: 0,
    usual_per_hour: 0,
    threshold: 8,
    verdict: null,
    created_at: beganAtMs,
    slow: 0,
    stopped: 0,
    shared_values: '[]',
    links: '[]',
    above_until: beganAtMs + 3_600_000,
    counted_through: beganAtMs,
    samples: '[]',
    ...changes,
  };
  await db.write.insertInto('waves').values(row).execute();
  return row.id;
}
