import { blockOf, commonBlock, networkOf } from '../address/ip-network.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { type ObservedCounts, trait } from '../traffic/observation.ts';
import type { ObservationBlock } from '../traffic/observation-block.ts';
import type { Visit } from '../traffic/traffic.ts';
import { asnOfKey, wideKey } from './detection/kinds.ts';
import { ObservedRow } from './detection/observed-row.ts';
import { type WaveKind, waveKinds } from './wave-kind.ts';

/**
 * Recent values in plain text, by their keys. Counts have keyed hashes only, so the plain text of a value is known to the
 * processes that decided about it, in memory, until a wave is named after it.
 */
export interface WaveNames {
  /** Keeps values that repeat. */
  note(visit: Visit, block: ObservationBlock, place: number, counts: ObservedCounts): void;
  /** The text of a wave's value; null while this process does not know it. `values` are all values that surged. */
  of(kind: WaveKind, key: number, values: readonly string[]): string | null;
  size(): number;
}

/** How many values of each kind are kept. A value that does not repeat is not, so that all-different sign-ups evict none. */
const maxValues = 20_000;
const shownDeviceDigits = 12;

interface Names {
  of(key: number): string | null;
  /** Keeps a name that is not known yet. */
  keep(key: number, text: string): void;
  size(): number;
}

/** By the lower halves of the keys: V8 finds a whole number of 32 bits several times as fast as a larger one. */
function createNames(): Names {
  const byHalf = boundedMap<number, { readonly key: number; readonly text: string }>(maxValues);
  const of = (key: number): string | null => {
    const found = byHalf.get(key | 0);
    return found?.key === key ? found.text : null;
  };
  return {
    of,
    keep(key, text) {
      if (of(key) === null) byHalf.set(key | 0, { key, text: detachedCopy(text) });
    },
    size: () => byHalf.size,
  };
}

/** `shownAddress` is how the log shows an address. */
export function createWaveNames(shownAddress: (address: string) => string): WaveNames {
  const names = Object.fromEntries(waveKinds.map((kind) => [kind, createNames()])) as Readonly<Record<WaveKind, Names>>;
  /** Networks that differ within one repeat together. */
  const wideNames = createNames();
  const noteDomain = ({ domain, mailServer, shape }: Visit, row: ObservedRow, counts: ObservedCounts): void => {
    if (counts.domain.day > 1) names.domain.keep(row.domain, domain);
    if (mailServer !== null && counts.mailServer.day > 1) names.mail_server.keep(row.mailServer, mailServer);
    if (shape !== null) names.shape.keep(row.shape, shape);
  };
  return {
    note(visit, block, place, counts) {
      const { address, ip, traits, device } = visit;
      const row = new ObservedRow(block, place);
      if ((traits & (trait.public | trait.relay | trait.established)) === 0) noteDomain(visit, row, counts);
      if (counts.spellings.day > 1 && names.mailbox.of(row.mailbox) === null)
        names.mailbox.keep(row.mailbox, shownAddress(address));
      if (device && counts.device.day > 1) names.device.keep(row.device, device.slice(0, shownDeviceDigits));
      if (ip === null) return;
      // Variants of one mailbox are one address.
      const isRepeated = counts.network.hour > 1 || counts.spellings.day > 1;
      if (isRepeated && names.network.of(row.network) === null)
        names.network.keep(row.network, networkOf(ip.text) ?? '');
      const wide = wideKey(row.wideNetwork);
      if (wideNames.of(wide) === null) wideNames.keep(wide, blockOf(ip, ip.version === 4 ? 20 : 32));
    },
    of(kind, key, values) {
      if (kind === 'new_domains') return 'new domains';
      if (kind !== 'network' || key > 0) return names[kind].of(key);
      const asn = asnOfKey(key);
      if (asn !== null) return `AS${asn}`;
      const blocks = values.flatMap((value) => {
        const [ofKind, text] = value.split(':');
        return ofKind === 'network' && Number(text) > 0 ? (names.network.of(Number(text)) ?? []) : [];
      });
      return commonBlock(blocks) ?? wideNames.of(key);
    },
    size: () => waveKinds.reduce((sum, kind) => sum + names[kind].size(), 0),
  };
}
