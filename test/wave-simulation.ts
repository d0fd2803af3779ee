import { parseIp } from '../src/address/ip.ts';
import type { Db } from '../src/db/db.ts';
import type { Owner } from '../src/http/endpoint.ts';
import { trafficSignals } from '../src/signals/traffic-signals.ts';
import { createSubjectHashes } from '../src/traffic/subject-hashes.ts';
import { createTraffic } from '../src/traffic/traffic.ts';
import { createTrafficCounts } from '../src/traffic/traffic-counts.ts';
import { createTrafficSharing } from '../src/traffic/traffic-sharing.ts';
import { createTrafficStore } from '../src/traffic/traffic-store.ts';
import { ulid } from '../src/ulid.ts';
import { createActiveWaves } from '../src/waves/active-waves.ts';
import { createDetectionStore, type DetectionStore } from '../src/waves/detection-store.ts';
import { createDetector } from '../src/waves/detector.ts';
import { shapeOf } from '../src/waves/shape.ts';
import type { StoredWave } from '../src/waves/wave.ts';
import { createWaveNames } from '../src/waves/wave-names.ts';
import { createWavesStore } from '../src/waves/waves-store.ts';

/** A decision about an address. */
export interface SignUp {
  readonly email: string;
  /** The address without what its service ignores; the same unless given. */
  readonly normalized?: string;
  readonly ip?: string | null;
  readonly mailServer?: string | null;
  /** Bits of `trait`. */
  readonly traits?: number;
  readonly device?: string | null;
  readonly asn?: number | null;
  /** The action, or how it follows from `traffic.in_wave`. */
  readonly action?: Action | ((isInWave: boolean) => Action);
}

type Action = 'allow' | 'block' | 'challenge';

const waveIdPlace = trafficSignals.findIndex(({ source }) => source === 'waveId');

/** A decision that was made: the wave that it belongs to, and what finds it among a wave's samples. */
export interface MadeSignUp {
  readonly waveId: string | null;
  readonly mark: string;
}

/** Counting and detection as the service has them, on a clock that the caller sets. */
export interface WaveSimulation {
  readonly owner: Owner;
  at(ms: number): void;
  signUp(signUp: SignUp): MadeSignUp;
  /** Writes this process's counts and reads those of others: a start reads a day of them. */
  share(): Promise<void>;
  /** Shares counts and detects waves in them. */
  round(): Promise<void>;
  /** Oldest first. */
  waves(): Promise<StoredWave[]>;
  /** Events in the order in which they were sent. */
  readonly events: readonly string[];
}

let accounts = 0;

/** Another process of the same environment has the owner of the first. `replaced` are operations of the store that a test replaces. */
export async function startWaveSimulation(
  db: Db,
  startMs: number,
  sharedOwner?: Owner,
  slowEveryMs = 0,
  replaced: Partial<DetectionStore> = {},
): Promise<WaveSimulation> {
  let nowMs = startMs;
  const now = (): number => nowMs;
  const owner: Owner = sharedOwner ?? { accountId: `account ${++accounts}`, environment: 'production' };
  const hashes = createSubjectHashes('a secret of the installation');
  const names = createWaveNames((address) => address);
  const counts = createTrafficCounts(64_000_000);
  const store = createTrafficStore(db);
  const sharing = createTrafficSharing({
    store,
    counts,
    self: ulid(startMs),
    now,
    monotonicMs: now,
    onDropped() {},
  });
  const traffic = createTraffic({
    counts,
    hashes,
    now,
    openBlock: sharing.openBlock,
    onVisit: names.note,
    waveOf: (block, place, atMs) => active.waveOf(block, place, atMs),
  });
  const events: string[] = [];
  // Owners with gates are monitored; this test has no gates.
  const detection: DetectionStore = { ...createDetectionStore(db), owners: async () => [owner], ...replaced };
  const active = createActiveWaves(detection, hashes, now);
  const detector = createDetector({
    store: detection,
    traffic: store,
    hashes,
    names,
    async notify(_trx, { value }, event) {
      events.push(`${event} ${value}`);
    },
    now,
    // Rounds that are minutes apart must not look like a process that has paused.
    monotonicMs: () => nowMs / 1_000,
    slowEveryMs,
  });
  const waves = createWavesStore(db);
  const share = async (): Promise<void> => {
    await sharing.buffer.flush();
    await sharing.poll();
  };
  return {
    owner,
    events,
    at(ms) {
      nowMs = ms;
    },
    signUp({
      email,
      normalized = email,
      ip = null,
      mailServer = null,
      traits = 0,
      device = null,
      asn = null,
      action = 'allow',
    }) {
      const [localPart = '', domain = ''] = email.split('@');
      const visit = {
        owner,
        address: normalized,
        spelling: email,
        domain,
        mailServer,
        ip: ip === null ? null : parseIp(ip),
        traits,
        device,
        asn,
        shape: (traits & 7) === 0 ? shapeOf(localPart) : null,
      };
      const values = traffic.count(visit, 0);
      const waveId = values[waveIdPlace] ?? null;
      const made = typeof action === 'function' ? action(waveId !== null) : action;
      const id = ulid(nowMs);
      traffic.decided(values, { id, action: made, createdAtMs: nowMs });
      return { waveId: waveId === null ? null : String(waveId), mark: `${nowMs} ${id.slice(-6)}` };
    },
    share,
    async round() {
      await share();
      await detector.round();
      await detector.nameWaves();
      await active.refresh();
    },
    waves: async () => (await waves.list(owner, {}, 1_000)).toReversed(),
  };
}
