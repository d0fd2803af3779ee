import { openDatabase } from '../db/db.ts';
import { type Command, UsageError } from './command.ts';

/** `signalpost move --to postgres://…`. */
export const moveCommand: Command = {
  name: 'move',
  usage: '--to URL',
  summary:
    'Copy everything from the embedded database into an empty PostgreSQL, compared by counts and checksums; stop the service first',
  options: { to: { type: 'string', value: 'URL', help: 'an empty PostgreSQL database: postgres://…' } },
  example: 'move --to postgres://signalpost@db.example.com/signalpost',
  positionals: [0, 0],
  async run({ config, options: { to } }) {
    if (to === undefined) throw new UsageError('--to is missing: give the URL of an empty PostgreSQL database');
    if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to)) throw new UsageError('--to must be a postgres:// URL');
    if (config.databaseUrl !== null)
      throw new UsageError(
        'DATABASE_URL is set, but only the embedded database in DATA_DIR can be moved; unset DATABASE_URL',
      );
    const { moveDatabase } = await import('../db/move/move.ts');
    const source = await openDatabase({ url: null, dataDir: config.dataDir });
    try {
      const target = await openDatabase({ url: to, dataDir: config.dataDir, isMoveTarget: true });
      try {
        const tables = await moveDatabase(source, target);
        return {
          json: { tables },
          text: [
            ...tables.map(
              ({ table, rows, checksum }) => `${table.padEnd(20)} ${String(rows).padStart(10)}  ${checksum}`,
            ),
            'Everything was copied and compared. Start the service with DATABASE_URL from now on.',
          ].join('\n'),
        };
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  },
};
