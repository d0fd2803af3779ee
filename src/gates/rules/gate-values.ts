import { AppError } from '../../errors.ts';
import type { RuleDraft } from './rule.ts';

/** The largest total size of a gate's condition values as JSON: the first decision reads all of them. */
const maxGateValueBytes = 1_048_576;

/** Rejects rules whose values are too large in total. */
export function checkGateValues(rules: readonly RuleDraft[], path: string): void {
  const bytes = rules.reduce((sum, { conditions }) => {
    return conditions.reduce((inner, { value }) => inner + (value === undefined ? 0 : jsonBytes(value)), sum);
  }, 0);
  if (bytes <= maxGateValueBytes) return;
  const [most, has] = [maxGateValueBytes, bytes].map((count) => count.toLocaleString('en'));
  throw new AppError('validation_failed', {
    errors: {
      [path]: [`The values of the rules of a gate may be ${most} bytes of JSON (1 MB) together; these are ${has}.`],
    },
  });
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
