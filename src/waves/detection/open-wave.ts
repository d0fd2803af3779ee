import type { Owner } from '../../http/endpoint.ts';
import { actions } from '../../traffic/observation.ts';
import { idEndText } from '../../traffic/observation-block.ts';
import type { OpenWaveRecord, WaveCounts } from '../detection-store.ts';
import { linkOf } from '../links.ts';
import type { SampleMark } from '../wave.ts';
import type { WaveKind } from '../wave-kind.ts';
import { maxMembers, type WaveMember } from '../wave-members.ts';
import type { Attack } from './attacks.ts';
import { countWhere } from './distinct.ts';
import { detectedKinds, keysByKind, surgesUntil, widthOf } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';

const maxSamples = 20;

/** An open wave: counts the decisions that belong to it. */
export class OpenWave {
  readonly id: string;
  readonly owner: Owner;
  /** Its mark on rows that it has counted. */
  readonly number: number;
  kind: WaveKind;
  key: number;
  isSlow: boolean;
  isFine = false;
  readonly values: Map<string, number>;
  /** Links of attacks that were part of it, each until the wave would have ended with it. */
  readonly #links: Map<string, number>;
  aboveUntilMs: number;
  countedThroughMs: number;
  #lastAtMs: number;
  #lastAllowedAtMs = 0;
  readonly #decisions: Record<string, number>;
  readonly #samples: SampleMark[];
  readonly #members = new Set<number>();
  readonly #domains = new Set<number>();
  readonly #ips = new Set<number>();
  #stored = 0;
  #pending: WaveMember[] = [];
  #hasChanged = false;
  #isRenamed = false;

  constructor(number: number, record: OpenWaveRecord) {
    const { wave } = record;
    this.id = wave.id;
    this.owner = wave.owner;
    this.number = number;
    this.kind = wave.kind;
    this.key = record.key;
    this.isSlow = wave.isSlow;
    this.aboveUntilMs = record.aboveUntilMs;
    this.values = new Map(record.values);
    this.#links = new Map(record.links.map((link) => [link, this.#endMs(record.aboveUntilMs)]));
    this.countedThroughMs = record.countedThroughMs;
    this.#lastAtMs = wave.lastAtMs;
    this.#decisions = { allow: wave.allow, block: wave.block, challenge: wave.challenge };
    this.#samples = [...wave.samples];
    for (const member of record.members) {
      this.#stored += 1;
      this.#note(member);
    }
  }

  get windowMs(): number {
    return this.isSlow ? thresholds.slowMs : thresholds.windowMs;
  }

  isOf({ accountId, environment }: Owner): boolean {
    return accountId === this.owner.accountId && environment === this.owner.environment;
  }

  isSame(attack: Attack): boolean {
    return [...attack.links].some((link) => this.#links.has(link));
  }

  /** Whether a decision belongs to it, counted or not: one of its values surged at that time. */
  membership(): (row: ObservedRow) => boolean {
    const values = keysByKind(this.values);
    return (row) => row.atMs < surgesUntil(row, values);
  }

  /** After a restart, rows that it has counted before are read again. */
  claim(rows: readonly ObservedRow[]): void {
    const values = keysByKind(this.values);
    for (const row of rows)
      if (row.wave === 0 && row.atMs <= this.countedThroughMs && surgesUntil(row, values) > 0) row.wave = this.number;
  }

  /** Counts an attack that is part of it. A wider value that covers all of it describes it from now on, unless its own still does. */
  join(attack: Attack): void {
    const isWider = widthOf(attack.kind, attack.key) > widthOf(this.kind, this.key) && !this.#describes(attack);
    const own = linkOf(this.kind, this.key);
    const wider = linkOf(attack.kind, attack.key);
    if (isWider && (attack.links.has(own) || this.#links.has(wider))) this.#rename(attack.kind, attack.key);
    const shared = [...attack.links].find((link) => link.startsWith('mail_server:') && this.#links.has(link));
    for (const link of attack.links) this.#links.set(link, this.#endMs(attack.untilMs));
    for (const [value, untilMs] of attack.values) this.#add(value, untilMs);
    if (attack.untilMs > this.aboveUntilMs) {
      this.aboveUntilMs = attack.untilMs;
      this.#hasChanged = true;
    }
    this.count(attack.rows);
    // The domains of an attack that rotates them are not in one window.
    if (this.kind === 'domain' && shared !== undefined && this.#domains.size >= thresholds.mailServerDomains) {
      this.#add(shared, attack.untilMs);
      this.#rename('mail_server', Number(shared.slice('mail_server:'.length)));
    }
  }

  /** A rule may name the value: nearly all of the attack having it is enough, even if its count is not above the threshold. */
  #describes({ rows }: Attack): boolean {
    return detectedKinds.some(
      ({ kind, keyOf }) =>
        kind === this.kind &&
        countWhere(rows, (row) => keyOf(row) === this.key) >= rows.length * thresholds.describingShare,
    );
  }

  #rename(kind: WaveKind, key: number): void {
    this.kind = kind;
    this.key = key;
    this.#isRenamed = true;
    this.#hasChanged = true;
  }

  /** Whether another value describes it since the last call. */
  takeRenamed(): boolean {
    const isRenamed = this.#isRenamed;
    this.#isRenamed = false;
    return isRenamed;
  }

  #add(value: string, untilMs: number): void {
    const known = this.values.get(value);
    if (known !== undefined && known >= untilMs) return;
    // A block of networks is named after those that surged.
    if (known === undefined && this.kind === 'network') this.#isRenamed = true;
    this.values.set(value, untilMs);
    this.#hasChanged = true;
  }

  #endMs(untilMs: number): number {
    return untilMs + this.windowMs;
  }

  /** Forgets links of attacks that would have ended by a moment, and values without a row for a day: slow waves last for weeks. */
  forget(nowMs: number): void {
    const own = linkOf(this.kind, this.key);
    for (const [link, endMs] of this.#links) if (endMs <= nowMs && link !== own) this.#links.delete(link);
    for (const [value, untilMs] of this.values)
      if (untilMs + thresholds.slowMs <= nowMs && value !== own) this.values.delete(value);
  }

  /** Counts rows that no wave has counted. */
  count(rows: readonly ObservedRow[]): void {
    const memberOf = detectedKinds.find(({ kind }) => kind === this.kind)?.memberOf ?? ((row) => row.mailbox);
    for (const row of rows) {
      if (row.wave !== 0) continue;
      row.wave = this.number;
      this.#hasChanged = true;
      this.countedThroughMs = Math.max(this.countedThroughMs, row.atMs);
      const { atMs, idEnd, action, domain, ip } = row;
      const name = actions[action] ?? '';
      this.#decisions[name] = (this.#decisions[name] ?? 0) + 1;
      const member = { atMs, idEnd, action, member: memberOf(row), domain, ip };
      const isNew = this.#note(member);
      if (this.#stored + this.#pending.length < maxMembers) this.#pending.push(member);
      if (!isNew) continue;
      this.#lastAtMs = Math.max(this.#lastAtMs, atMs);
      this.#samples.push([atMs, idEndText(idEnd)]);
      // The first ones show how it began, the last ones how it is now.
      if (this.#samples.length > maxSamples) this.#samples.splice(maxSamples / 2, 1);
    }
  }

  /** Whether its member is new. */
  #note({ atMs, action, member, domain, ip }: WaveMember): boolean {
    if (actions[action] === 'allow') this.#lastAllowedAtMs = Math.max(this.#lastAllowedAtMs, atMs);
    if (this.#domains.size < maxMembers) this.#domains.add(domain);
    if (ip !== 0 && this.#ips.size < maxMembers) this.#ips.add(ip);
    if (this.#members.has(member) || this.#members.size >= maxMembers) return false;
    this.#members.add(member);
    return true;
  }

  /** The changes since the last call; null without any. */
  takeChanges(): { readonly counts: WaveCounts; readonly members: readonly WaveMember[] } | null {
    if (!this.#hasChanged) return null;
    this.#hasChanged = false;
    const members = this.#pending;
    this.#pending = [];
    this.#stored += members.length;
    return { counts: this.counts(), members };
  }

  counts(): WaveCounts {
    return {
      kind: this.kind,
      key: this.key,
      isSlow: this.isSlow,
      isStopped: this.#lastAllowedAtMs < this.#lastAtMs - thresholds.stoppedMs,
      values: [...this.values],
      links: [...this.#links.keys()],
      aboveUntilMs: this.aboveUntilMs,
      countedThroughMs: this.countedThroughMs,
      lastAtMs: this.#lastAtMs,
      addresses: this.#members.size,
      domains: this.#domains.size,
      ips: this.#ips.size,
      allow: this.#decisions.allow ?? 0,
      block: this.#decisions.block ?? 0,
      challenge: this.#decisions.challenge ?? 0,
      samples: this.#samples,
    };
  }
}
