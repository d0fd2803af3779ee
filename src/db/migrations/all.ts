import type { Migration } from '../migrate.ts';
import { schema } from './0001-schema.ts';
import { listBytes } from './0002-list-bytes.ts';
import { publishableKeys } from './0003-publishable-keys.ts';
import { hooks } from './0004-hooks.ts';
import { waves } from './0005-waves.ts';
import { waveThreshold } from './0006-wave-threshold.ts';
import { outcomeDomain } from './0007-outcome-domain.ts';
import { seenDays } from './0008-seen-days.ts';

/** Every migration in the order it is applied; a new one is added at the end. */
export const allMigrations: readonly Migration[] = [
  schema,
  listBytes,
  publishableKeys,
  hooks,
  waves,
  waveThreshold,
  outcomeDomain,
  seenDays,
];
