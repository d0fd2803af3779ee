import type { Migration } from '../migrate.ts';
import { accounts } from './0001-accounts.ts';

/** Every migration in the order it is applied; a new one is added at the end. */
export const allMigrations: readonly Migration[] = [accounts];
