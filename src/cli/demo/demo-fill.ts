import type { FirstAccount } from '../../accounts/first-account.ts';
import type { Actor } from '../../actor.ts';
import type { Config } from '../../config.ts';
import type { Invitation, Users } from '../../console/access/users.ts';
import type { Facts } from '../../lookups/facts.ts';
import { openService } from '../open-service.ts';
import { beginHistory, type DemoChange, type DemoGates } from './demo-history.ts';
import { createDemoService, type DemoService, type Headers } from './demo-service.ts';
import { type DemoEvent, demoDays, demoOutcomes, demoTraffic } from './demo-traffic.ts';

const dayMs = 86_400_000;
/** So old that its billing month is half over. */
const accountDays = 47;
/** The detection runs after eight events within half an hour, then every four, and four times a day: each run reads the traffic again. */
const [busyEvents, nextEvents] = [8, 4];
const busyMs = 1_800_000;
const quietMs = 21_600_000;
const by: Actor = { kind: 'service', id: 'demonstration', from: null };

/** The account of the demonstration, and how to sign in. */
export interface DemoAccess {
  readonly first: FirstAccount;
  readonly invitation: Invitation;
  readonly password: string;
  /** The gate that the attack goes to. */
  readonly gateId: string;
}

/** The contents of the month. */
export interface DemoPlan {
  /** When it ends. */
  readonly endMs: number;
  readonly decisions: number | null;
  /** Where webhooks are sent. */
  readonly receiver: string;
  /** Reports how many of the events are done. */
  onProgress(done: number, total: number): void;
}

/** Public: the data behind it is made up. */
export const demoPassword = 'a look at signalpost';

/** Fills an empty data directory with a month, by the calls that a customer would have made. */
export async function fillDemo(config: Config, facts: Facts, plan: DemoPlan): Promise<DemoAccess> {
  const service = await createDemoService(config, facts, plan.endMs - accountDays * dayMs);
  try {
    const first = await service.app.createFirstAccount();
    if (first === null) throw new Error(`${config.dataDir} is not empty`);
    return await fill(service, config, first, plan);
  } finally {
    await service.close();
  }
}

async function fill(service: DemoService, config: Config, first: FirstAccount, plan: DemoPlan): Promise<DemoAccess> {
  const { endMs, decisions, receiver } = plan;
  await using opened = await openService(config, service.now, by);
  const { id: accountId } = first.account;
  const { accounts } = opened;
  await accounts.update(accountId, { name: 'Acme Shop', email: 'jane@acme.example' });
  await accounts.setPlan(accountId, 'pro-200k');
  const users = await opened.users();
  const { user } = await users.create({ accountId, email: 'jane@acme.example', role: 'operator' }, by);
  await users.create({ accountId, email: 'joe@acme.example', role: 'member' }, by);
  const asJane = (): Promise<Headers> => signIn(service, users, user.id);
  const keyOf = (wanted: string): string => first.keys.find(({ environment }) => environment === wanted)?.key ?? '';
  const keys = { production: keyOf('production'), staging: keyOf('staging') };
  service.at(endMs - (demoDays + 1) * dayMs);
  const events = demoTraffic(endMs, decisions);
  const { gates, changes } = await beginHistory(service, { keys, asJane, receiver, outcomes: demoOutcomes(events) });
  const act = (event: DemoEvent): Promise<unknown> => perform(service, event, gates, keys);
  await live(service, { events, changes, act }, plan);
  service.at(endMs);
  await service.call('PUT', '/console/api/me/password', await asJane(), { password: demoPassword });
  const link = await users.invite(user.id, by);
  if (link === null) throw new Error('the user of the demonstration is gone');
  return { first, invitation: { user, link }, password: demoPassword, gateId: gates.signUp };
}

interface Month {
  readonly events: readonly DemoEvent[];
  readonly changes: readonly DemoChange[];
  act(event: DemoEvent): Promise<unknown>;
}

/** Replays the month: visits, and changes in between. */
async function live(
  service: DemoService,
  { events, changes, act }: Month,
  { endMs, onProgress }: DemoPlan,
): Promise<void> {
  const due = [...changes];
  const detect = detecting(service);
  for (const [index, event] of events.entries()) {
    onProgress(index, events.length);
    while (due[0] !== undefined && endMs - due[0].daysAgo * dayMs <= event.atMs) {
      service.at(endMs - due[0].daysAgo * dayMs);
      await due.shift()?.run();
    }
    service.at(event.atMs);
    await act(event);
    await detect(event.atMs);
  }
  onProgress(events.length, events.length);
}

/** The detection runs while the month passes, more often while much happens: its timers do not use the made-up clock. */
function detecting({ app }: DemoService): (atMs: number) => Promise<void> {
  let lastMs = 0;
  let recentMs: readonly number[] = [];
  return async (atMs) => {
    recentMs = [...recentMs.filter((eachMs) => eachMs > atMs - busyMs), atMs];
    const sinceMs = atMs - lastMs;
    if (recentMs.length < (sinceMs < busyMs ? nextEvents : busyEvents) && sinceMs < quietMs) return;
    lastMs = atMs;
    recentMs = [];
    await app.detectWaves();
  };
}

function perform(
  service: DemoService,
  { kind, email, ip }: DemoEvent,
  gates: DemoGates,
  keys: Readonly<Record<'production' | 'staging', string>>,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${kind === 'staging' ? keys.staging : keys.production}` };
  if (kind === 'lookup') return service.call('GET', `/email/${encodeURIComponent(email)}`, headers);
  const gate = { 'sign-up': gates.signUp, newsletter: gates.newsletter, staging: gates.staging }[kind];
  return service.call('POST', `/v1/gates/${gate}/decisions`, headers, { email, ip });
}

async function signIn(service: DemoService, users: Users, userId: string): Promise<Headers> {
  const link = await users.invite(userId, by);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const { cookie } = await service.call('POST', '/console/api/sign-in', headers, { token: link?.token });
  return { ...headers, cookie };
}
