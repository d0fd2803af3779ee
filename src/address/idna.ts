import { createRequire } from 'node:module';
import { lazily } from '../platform/lazily.ts';

/** Loaded with the first name that needs it: most are plain ASCII, and the tables of Unicode would be in the way of every start. */
const tr46 = lazily((): typeof import('tr46') => createRequire(import.meta.url)('tr46'));

/** UTS 46, non-transitional, strict. CheckHyphens stays off: hyphens in third and fourth place are allowed. */
const options = {
  checkBidi: true,
  checkHyphens: false,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
};

/** The ASCII form of a name or a label; null when it has none. */
export function toAscii(text: string): string | null {
  return tr46().toASCII(text, { ...options, verifyDNSLength: true });
}

/** The readable form of a name. */
export function toUnicode(ascii: string): string {
  return tr46().toUnicode(ascii, options).domain;
}
