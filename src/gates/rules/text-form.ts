import { asciiLabels, isAscii } from '../../address/ascii-labels.ts';
import { parseIp } from '../../address/ip.ts';
import type { Named } from '../../signals/signal.ts';

/** Kinds of texts: names with a canonical form, and `plain` for any other text. */
export type TextKind = Named | 'plain';

/** The form in which texts of one kind are compared. */
export interface TextForm {
  /** Of a field's value, each time it is read. */
  readonly actual: (text: string) => string;
  /** Of a condition's value, once: a whole text, its start, its end, and all possible forms of a part from anywhere in it. */
  readonly whole: (text: string) => string;
  readonly start: (text: string) => string;
  readonly end: (text: string) => string;
  readonly parts: (text: string) => readonly string[];
}

const lower = (text: string): string => text.toLowerCase();

const plain: TextForm = { actual: lower, whole: lower, start: lower, end: lower, parts: (text) => [lower(text)] };

/** Names are in ASCII when they are read; people write them as they are shown, and with the dot of the root. */
const name: TextForm = {
  actual: lower,
  whole: (text) => asciiLabels(text).replace(/\.$/, ''),
  start: asciiLabels,
  end: asciiLabels,
  parts: (text) => [asciiLabels(text)],
};

/** The local part has no other form; the domain follows the last `@`, and may be in Unicode even when it is read. */
function address(text: string): string {
  // A fast path: nearly all are in ASCII, and every decision does this.
  if (isAscii(text)) return lower(text);
  const domainAt = text.lastIndexOf('@') + 1;
  return domainAt === 0 ? lower(text) : lower(text.slice(0, domainAt)) + asciiLabels(text.slice(domainAt));
}

const email: TextForm = {
  actual: address,
  whole: address,
  start: address,
  end: (text) => (text.includes('@') ? address(text) : asciiLabels(text)),
  parts: (text) => (text.includes('@') ? [address(text)] : [...new Set([lower(text), asciiLabels(text)])]),
};

/** A part of an IP address may mean many: only the zeros in front of a group are taken off. */
const ipPart = (text: string): string => lower(text).replace(/(?<=:)0+(?=[0-9a-f])/g, '');

const ip: TextForm = {
  actual: lower,
  whole: (text) => parseIp(text)?.text ?? lower(text),
  start: ipPart,
  end: ipPart,
  parts: (text) => [ipPart(text)],
};

export const textForms: Readonly<Record<TextKind, TextForm>> = { plain, name, email, ip };
