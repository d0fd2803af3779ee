import { resolve } from 'node:path';
import { restoreDatabase } from '../db/sqlite/sqlite-restore.ts';
import { type Command, UsageError } from './command.ts';

/** `signalpost restore FILE`. */
export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE [--replace]',
  summary: 'Verify a backup and put it into DATA_DIR; stop the service first',
  options: {
    replace: { type: 'boolean', help: 'rename an existing database and restore the backup in its place' },
  },
  example: 'restore backups/monday.db',
  positionals: [1, 1],
  async run({ config, flags, positionals: [name = ''] }) {
    if (config.databaseUrl !== null)
      throw new UsageError(
        'DATABASE_URL is set, but only the embedded database in DATA_DIR can be restored; use pg_restore',
      );
    const backup = resolve(name);
    const { file, replaced, bytes } = restoreDatabase(backup, config.dataDir, Date.now(), flags.has('replace'));
    const kept = replaced === null ? [] : [`The former database is ${replaced}; remove it when it is no longer needed`];
    return {
      json: { file, backup, bytes, replaced },
      text: [`Restored ${backup} to ${file} (${bytes} bytes, verified)`, ...kept].join('\n'),
    };
  },
};
