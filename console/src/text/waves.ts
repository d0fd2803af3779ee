import type { Wave } from '../api/waves.ts';
import { counted, grouped } from './numbers.ts';
import { dayOrTime } from './times.ts';

/** The names of the property that a wave's addresses share. */
export const kindNames: Readonly<Record<Wave['kind'], string>> = {
  mailbox: 'Mailbox',
  device: 'Device',
  domain: 'Domain',
  mail_server: 'Mail server',
  network: 'Network',
  shape: 'Address pattern',
  new_domains: 'New domains',
};

/** The property that a wave's addresses share, inside a sentence. */
export function sharedText({ kind, value }: Pick<Wave, 'kind' | 'value'>): string {
  const texts: Readonly<Record<Wave['kind'], string>> = {
    mailbox: `that are spellings of ${value}`,
    device: `with device ${value}`,
    domain: `at ${value}`,
    mail_server: `with mail server ${value}`,
    network: `from ${value}`,
    shape: `of the form ${value}`,
    new_domains: 'at domains never seen before',
  };
  return texts[kind];
}

/** How many decisions of a wave let someone in. */
export function gotIn({ allow, block, challenge }: Pick<Wave, 'allow' | 'block' | 'challenge'>): string {
  const all = allow + block + challenge;
  if (allow === 0) return 'No sign-up got in';
  return allow === all
    ? `All ${counted(all, 'sign-up')} got in`
    : `${grouped(allow)} of ${counted(all, 'sign-up')} got in`;
}

interface Stoppable {
  readonly stopped_by: readonly {
    readonly rule: { readonly name: string } | null;
    readonly since: string;
    readonly turned_away: number;
  }[];
}

/** A wave in one sentence: judged fine, stopped by a rule, ended, or who got in so far. */
export function stateText(wave: Wave & Stoppable, now: number = Date.now()): string {
  if (wave.verdict === 'fine') return 'Judged fine: the same value raises no wave for 30 days';
  const [by] = wave.stopped_by;
  if (by !== undefined && (wave.stopped || wave.state === 'open')) {
    const turnedAway = grouped(wave.stopped_by.reduce((sum, { turned_away }) => sum + turned_away, 0));
    const [rule, since] = [
      by.rule === null ? 'the default action' : `rule “${by.rule.name}”`,
      dayOrTime(by.since, now),
    ];
    if (wave.stopped) return `Stopped by ${rule} since ${since}, ${turnedAway} turned away`;
    // Whether nothing gets past the rule is known ten minutes after the last sign-up that did.
    return `${gotIn(wave)}; ${turnedAway} turned away by ${rule} since ${since}`;
  }
  return wave.state === 'ended' ? `Ended: ${lowerFirst(gotIn(wave))}` : gotIn(wave);
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** How its members turned out; null while none was reported. */
export function confirmedText({
  confirmed_bad,
  confirmed_good,
}: Pick<Wave, 'confirmed_bad' | 'confirmed_good'>): string | null {
  const parts = [
    confirmed_bad > 0 ? `${grouped(confirmed_bad)} reported bad` : '',
    confirmed_good > 0 ? `${grouped(confirmed_good)} reported good` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

/** The size of a wave: 60 addresses at 12 domains from 3 IP addresses. */
export function sizeText({ addresses, domains, ips }: Pick<Wave, 'addresses' | 'domains' | 'ips'>): string {
  const from = ips === 0 ? '' : ` from ${counted(ips, 'IP address', 'IP addresses')}`;
  return `${counted(addresses, 'address', 'addresses')} at ${counted(domains, 'domain')}${from}`;
}

interface RuleEffect {
  readonly stops: number;
  readonly touches: number;
  readonly evaluated: number;
  readonly complete: boolean;
}

/** The decisions that the rule against a wave would have matched. */
export function effectText({ stops, touches, evaluated, complete }: RuleEffect): string {
  const of = complete ? 'in 30 days' : `of the newest ${grouped(evaluated)}`;
  const others = touches === 0 ? 'no other decision' : counted(touches, 'other decision');
  return `It matches ${counted(stops, 'decision')} of the wave and ${others} ${of}.`;
}

/** How much faster than usual its addresses arrived. */
export function usualText({ usual_per_hour }: Pick<Wave, 'usual_per_hour'>): string {
  if (usual_per_hour === 0) return 'There were none in the week before.';
  return `Usual: ${usual_per_hour < 0.1 ? 'less than 0.1' : usual_per_hour.toFixed(1)} addresses per hour.`;
}
