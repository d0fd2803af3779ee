import { isPlainObject } from '../../input/json-value.ts';
import type { JsonObject } from './format.ts';

/** The value as an object; null when it is anything else. */
export const objectIn = (value: unknown): JsonObject | null => (isPlainObject(value) ? value : null);
