import type { Owner } from '../http/endpoint.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { createYielder } from '../platform/yielding.ts';
import { type BlockReader, createBlockReader } from '../traffic/block-reader.ts';
import { madeAtMs, ObservationBlock, word, wordsEach } from '../traffic/observation-block.ts';
import type { SubjectHashes } from '../traffic/subject-hashes.ts';
import type { TrafficStore } from '../traffic/traffic-store.ts';
import { ulid } from '../ulid.ts';
import { type Attack, comparedValues, detectAttacks, linkOf } from './detect.ts';
import type { DetectionStore, NotifyWave } from './detection-store.ts';
import { createObservationWindow } from './observation-window.ts';
import { isRow, keyOf, ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';
import { type HourSummary, hourMs, summarise, usualHours, usualOf } from './usual-rates.ts';
import { standardSettings } from './wave.ts';
import type { WaveNames } from './wave-names.ts';
import { createTally, type WaveTally } from './wave-tally.ts';

/** Detects waves in the counts of all processes; one process at a time runs it. */
export interface Detector {
  /** Examines environments with new rows, those with many rows less often. */
  round(): Promise<void>;
  /** Examines every environment with new rows. */
  roundOfAll(): Promise<void>;
  /** Names waves that another process raised. */
  nameWaves(): Promise<void>;
  /** Rows in memory, and waves raised. */
  status(): { readonly rows: number; readonly raised: number };
}

export interface DetectorParts {
  readonly store: DetectionStore;
  readonly traffic: Pick<TrafficStore, 'after' | 'read' | 'lastBefore'>;
  readonly hashes: SubjectHashes;
  readonly names: Pick<WaveNames, 'of'>;
  readonly notify: NotifyWave;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/** Longer than the window, so that an hour is still whole when it has ended. */
const keptMs = 75 * 60_000;
/** Other processes write their counts within two seconds. */
const lateMs = 30_000;
const pauseMsPerRow = 0.3;
/** Environments whose hours are in memory, and how large each one's may be; others are read for each comparison. */
const mostHours = 20;
const mostHourBytes = 1_000_000;

export function createDetector(parts: DetectorParts): Detector {
  const { store, traffic, hashes, names, notify, now, monotonicMs } = parts;
  let window = createObservationWindow();
  let reader: BlockReader | null = null;
  let lastRoundMs = 0;
  let summarisedThrough = 0;
  let raised = 0;
  let owners = new Map<number, Owner>();
  const hours = boundedMap<string, { readonly before: number; readonly summaries: readonly HourSummary[] }>(mostHours);
  /** When an environment with new rows was last examined. */
  const watchedAtMs = new Map<number, number>();

  const loadOwners = async (): Promise<void> => {
    owners = new Map((await store.owners()).map((owner) => [keyOf(hashes.ofOwner(owner)), owner]));
  };
  /** A round takes longer with more rows: up to 30 seconds pass between two, so that the share of CPU time stays small. */
  const isDue = (key: number): boolean => {
    const sinceMs = now() - (watchedAtMs.get(key) ?? Number.NEGATIVE_INFINITY);
    return sinceMs < 0 || sinceMs >= window.count(key) * pauseMsPerRow;
  };
  const read = async (): Promise<void> => {
    const atMs = monotonicMs();
    if (reader === null || atMs - lastRoundMs > keptMs) {
      window = createObservationWindow();
      reader = createBlockReader(traffic, '', monotonicMs, await traffic.lastBefore(now() - keptMs));
    }
    lastRoundMs = atMs;
    const oldestMs = now() - keptMs;
    const yieldWhenDue = createYielder();
    await reader.poll(async ({ kind, body }) => {
      const block = ObservationBlock.decode(body);
      for (let place = 0; place < block.end; place += wordsEach) {
        const turn = yieldWhenDue();
        if (turn !== null) await turn;
        if (kind !== 'counts') window.erase(block, place, kind);
        else if (madeAtMs(block, place) >= oldestMs) window.add(block, place);
      }
    });
    window.dropBefore(oldestMs);
  };
  /** The hours whose average is usual; they change once an hour. */
  const hoursOf = async (owner: Owner): Promise<readonly HourSummary[]> => {
    const { from, before } = usualHours(now());
    const name = `${owner.accountId}/${owner.environment}`;
    const known = hours.get(name);
    if (known?.before === before) return known.summaries;
    const summaries = await store.hours(owner, from, before);
    const bytes = summaries.reduce((sum, { body }) => sum + body.length, 0);
    if (bytes <= mostHourBytes) hours.set(name, { before, summaries });
    return summaries;
  };
  /** Writes how many addresses each value had in the hours that have ended. */
  const summariseHours = async (): Promise<void> => {
    const last = Math.floor((now() - lateMs) / hourMs) - 1;
    if (last <= summarisedThrough) return;
    for (const key of window.owners()) {
      const owner = owners.get(key);
      if (owner === undefined) continue;
      const yieldWhenDue = createYielder(monotonicMs);
      const since = await window.rows(key, last * hourMs, yieldWhenDue);
      const rows = since.filter(({ atMs }) => atMs < (last + 1) * hourMs);
      if (rows.length > 0) await store.addHour(owner, last, await summarise(rows, yieldWhenDue));
    }
    summarisedThrough = last;
    await store.removeHoursBefore(usualHours(now()).from);
  };
  /** The rows of a day that have the value: the window has only those of the last hour. */
  const dayOf = async (owner: Owner, { kind, key }: Attack): Promise<ObservedRow[]> => {
    const ownerKey = keyOf(hashes.ofOwner(owner));
    const sinceMs = now() - thresholds.slowMs;
    const day = createBlockReader(traffic, '', monotonicMs, await traffic.lastBefore(sinceMs));
    const rows: ObservedRow[] = [];
    const yieldWhenDue = createYielder();
    await day.poll(async ({ kind: content, body }) => {
      const turn = yieldWhenDue();
      if (turn !== null) await turn;
      if (content !== 'counts') return;
      const block = ObservationBlock.decode(body);
      for (let place = 0; place < block.end; place += wordsEach) {
        const isRelevant = keyOf(block.hash(place + word.owner)) === ownerKey && madeAtMs(block, place) >= sinceMs;
        const row = isRelevant && isRow(block, place) ? new ObservedRow(block, place) : null;
        if (row?.key(kind) === key) rows.push(row);
      }
    });
    return rows.sort((one, other) => one.atMs - other.atMs);
  };
  const raise = async (owner: Owner, attack: Attack): Promise<void> => {
    const { kind, key, isSlow } = attack;
    if (isSlow && (await store.hasHadWave(owner, kind, key, now() - thresholds.slowPauseMs))) return;
    const rows = isSlow ? await dayOf(owner, attack) : attack.rows;
    const tally = createTally(owner, attack);
    tally.add(rows);
    tally.add(attack.rows);
    tally.link(attack.links);
    const value = names.of(kind, key);
    const [first] = rows;
    const state = tally.state(value);
    await store.raise(
      owner,
      {
        ...state,
        id: ulid(now()).toLowerCase(),
        beganAtMs: first?.atMs ?? now(),
        usualPerHour: Math.round(attack.usualPerHour * 100) / 100,
        bySpellings: attack.bySpellings,
        createdAtMs: now(),
      },
      notify,
    );
    raised += 1;
  };
  /** Counts rows of open waves, then raises a wave for each attack that is none of them. */
  const watch = async (owner: Owner, rows: readonly ObservedRow[], open: readonly WaveTally[]): Promise<void> => {
    const { settings, firstAtMs, silent } = await store.monitoring(
      owner,
      { firstAtMs: rows[0]?.atMs ?? now(), settings: standardSettings },
      now(),
    );
    if (!settings.enabled) return;
    const yieldWhenDue = createYielder(monotonicMs);
    const compared = await comparedValues(rows, settings, yieldWhenDue);
    const summaries = compared.length === 0 ? [] : await hoursOf(owner);
    const attacks =
      compared.length === 0
        ? []
        : await detectAttacks(
            rows,
            compared,
            {
              settings,
              knownMs: now() - firstAtMs,
              usual: usualOf(compared, summaries, firstAtMs, now()),
              isSilent: (kind, key) => silent.has(linkOf(kind, key)),
            },
            yieldWhenDue,
          );
    for (const attack of attacks) {
      const same = open.find((wave) => wave.isSame(attack));
      if (same !== undefined) same.join(attack, names);
      else if (!attack.isSilent && isNew(attack, settings.minAddresses)) await raise(owner, attack);
    }
    for (const wave of open) wave.addOwn(rows);
  };
  /** Ends waves whose hour without a new address was over at a moment. */
  const endWaves = async (atMs: number): Promise<void> => {
    for (const { id, lastAtMs } of await store.idle(atMs - thresholds.windowMs)) {
      await store.end(id, lastAtMs + thresholds.windowMs, notify);
    }
  };
  const round = async (isWanted: (key: number) => boolean): Promise<void> => {
    await read();
    // What came before their end is counted by now, unless rounds pause.
    await endWaves(now() - lateMs);
    const news = [...window.owners()].filter((key) => isWanted(key) && window.takeNews(key));
    // Their members are large, and only news changes them.
    const stored = news.length === 0 ? [] : await store.openWaves();
    const open = stored.map((wave) => createTally(wave.wave.owner, wave));
    for (const key of watchedAtMs.keys()) if (window.count(key) === 0) watchedAtMs.delete(key);
    for (const key of news) watchedAtMs.set(key, now());
    if (news.some((key) => !owners.has(key))) await loadOwners();
    await summariseHours();
    const sinceMs = now() - thresholds.windowMs;
    for (const key of news) {
      const owner = owners.get(key);
      const rows = owner === undefined ? [] : await window.rows(key, sinceMs, createYielder(monotonicMs));
      if (owner === undefined || rows.length === 0) continue;
      await watch(
        owner,
        rows,
        open.filter((wave) => wave.isOf(owner)),
      );
    }
    for (const wave of open) if (wave.hasChanged()) await store.update(wave.id, wave.state(null));
    await endWaves(now());
  };
  let lastRound: Promise<void> = Promise.resolve();
  const roundOf = (isWanted: (key: number) => boolean): Promise<void> => {
    // Two rounds together would raise a wave twice.
    const started = lastRound.then(() => round(isWanted));
    lastRound = started.catch(() => {});
    return started;
  };
  return {
    round: () => roundOf(isDue),
    roundOfAll: () => roundOf(() => true),
    async nameWaves() {
      for (const { id, kind, key } of await store.unnamed()) {
        const value = names.of(kind, key);
        if (value !== null) await store.name(id, value, notify);
      }
    },
    status: () => ({ rows: window.size(), raised }),
  };
}

/** Rows that an earlier wave has counted raise no second one. */
function isNew({ kind, rows }: Attack, minAddresses: number): boolean {
  const left = rows.filter((row) => !row.isCounted);
  return (
    new Set(left.map((row) => (kind === 'network' ? row.spelling : row.address))).size >=
    Math.min(minAddresses, rows.length)
  );
}
