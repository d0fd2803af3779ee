import { type Input, into, refused } from './input.ts';
import { items, list } from './list.ts';
import { text } from './scalar.ts';

const maxOrigins = 20;

/** 1 to 20 web origins, each as browsers send it. */
export const originsInput: Input<readonly string[]> = list(
  'The origins',
  into(text('The origin'), (value, path, problems) => {
    const origin = readOrigin(value);
    if (origin !== null) return origin;
    problems.add(path, 'The origin must be scheme, host and optional port, such as https://app.example.com.');
    return refused;
  }),
  { limits: [items(1, maxOrigins, `Give 1 to ${maxOrigins} origins.`)] },
);

/** A web origin as browsers send it; null for other text. */
function readOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  // A URL may contain `*`, but an origin with one would match no page.
  return isOrigin && !value.includes('*') ? url.origin : null;
}
