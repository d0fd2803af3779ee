import type { Actor } from '../actor.ts';
import type { Caller, Owner } from '../http/endpoint.ts';
import { hourMs, recentFrom } from '../platform/time/recent-span.ts';
import type { LookupBucket, LookupCountsStore } from './lookup-counts-store.ts';

const dayMs = 24 * hourMs;

/** The ranges of an overview, in buckets of an hour. */
export const ranges = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs } as const;
export type RangeName = keyof typeof ranges;

/** The activity of gates, as the overview needs it. */
export interface GateActivity {
  /** Decisions of all an owner's gates by action and bucket. */
  decisions(owner: Owner, fromMs: number, bucketMs: number): Promise<DecisionBucket[]>;
  /** The names of an owner's gates, by id. */
  gateNames(owner: Owner): Promise<GateNames>;
  /** The live rules of gates with the most matches since a full hour. */
  topRules(gates: GateNames, fromMs: number, limit: number): Promise<TopRule[]>;
  /** The outcomes of gates' decisions since a time, by action. */
  outcomes(gates: GateNames, fromMs: number): Promise<Outcomes>;
}

export type GateNames = ReadonlyMap<string, string>;

/** How many decisions became good and bad. */
export interface Tally {
  readonly good: number;
  readonly bad: number;
}

/** The outcomes of decisions by action. */
export type Outcomes = Readonly<Record<'allow' | 'block' | 'challenge', Tally>>;

/** Decisions of one bucket of time. */
export interface DecisionBucket {
  readonly atMs: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}

/** A domain and its number of lookups. */
export interface TopDomain {
  readonly domain: string;
  readonly lookups: number;
}

/** A rule and its number of matches. */
export interface TopRule {
  readonly gate: { readonly id: string; readonly name: string };
  readonly id: string;
  readonly name: string;
  readonly matches: number;
}

/** A change to gates, lists, the blocklist or the settings of waves. */
export interface Change {
  readonly atMs: number;
  /** The action of the audit trail: `gate.changed`. */
  readonly action: string;
  readonly subject: string;
  readonly name: string | null;
  /** Null for changes that serve every account. */
  readonly by: (Pick<Actor, 'kind' | 'id'> & { readonly name: string | null }) | null;
  readonly rules: readonly { readonly name: string; readonly change: string }[];
  readonly count: number | null;
}

/** Credits of the month. */
export interface Usage {
  readonly used: number;
  readonly resetAtMs: number;
}

/** The sources of an overview: counters, never the log. */
export interface OverviewParts {
  readonly lookups: Pick<LookupCountsStore, 'buckets' | 'topDomains'>;
  readonly activity: GateActivity;
  readonly usage: (caller: Caller) => Usage | Promise<Usage>;
  /** Since a time, newest first. */
  readonly changes: (owner: Owner, fromMs: number) => Promise<readonly Change[]>;
  readonly now: () => number;
}

/** The recent activity of an environment. */
export interface Overview {
  readonly range: RangeName;
  readonly fromMs: number;
  readonly toMs: number;
  readonly usage: Usage;
  /** Null without requests. */
  readonly peak: number | null;
  readonly decisions: readonly DecisionBucket[];
  readonly outcomes: Outcomes;
  readonly lookups: readonly LookupBucket[];
  readonly topDomains: readonly TopDomain[];
  readonly topRules: readonly TopRule[];
  /** Newest first. */
  readonly changes: readonly Change[];
}

const shownRows = 10;

/** Reads the overview of a caller's environment. */
export async function readOverview(caller: Caller, range: RangeName, parts: OverviewParts): Promise<Overview> {
  const { lookups, activity, usage, changes, now } = parts;
  const spanMs = ranges[range];
  const toMs = now();
  const fromMs = recentFrom(toMs, spanMs);
  const gateNames = await activity.gateNames(caller);
  const [used, decisions, outcomes, looked, topDomains, topRules, changed] = await Promise.all([
    usage(caller),
    activity.decisions(caller, fromMs, hourMs),
    activity.outcomes(gateNames, fromMs),
    lookups.buckets(caller, fromMs, hourMs),
    lookups.topDomains(caller, fromMs, shownRows),
    activity.topRules(gateNames, fromMs, shownRows),
    changes(caller, fromMs),
  ]);
  // The current, unfinished hour is the last one.
  const times = Array.from({ length: spanMs / hourMs + 1 }, (_, index) => fromMs + index * hourMs);
  const peak = Math.max(0, ...looked.map((bucket) => bucket.peak));
  return {
    range,
    fromMs,
    toMs,
    usage: used,
    peak: peak === 0 ? null : peak,
    decisions: filled(times, decisions, { allow: 0, block: 0, challenge: 0 }),
    outcomes,
    lookups: filled(times, looked, { lookups: 0, disposable: 0, relay: 0, noMail: 0, unknown: 0, peak: 0 }),
    topDomains,
    topRules,
    changes: changed.map((change) => ({ ...change, name: gateNames.get(change.subject) ?? change.name })),
  };
}

/** Every bucket of the range, including empty ones. */
function filled<T extends { readonly atMs: number }>(
  times: readonly number[],
  found: readonly T[],
  empty: Omit<T, 'atMs'>,
) {
  const byTime = new Map(found.map((bucket) => [bucket.atMs, bucket]));
  return times.map((atMs) => byTime.get(atMs) ?? ({ ...empty, atMs } as T));
}
