import { resolve } from 'node:path';
import { verifyDatabaseFile } from '../db/sqlite/sqlite-verify.ts';
import { type Command, table } from './command.ts';

/** `signalpost verify FILE`. */
export const verifyCommand: Command = {
  name: 'verify',
  usage: 'FILE',
  summary: 'Read a whole copy of the embedded database; say whether it can be used and what is in it',
  options: {},
  example: 'verify backups/monday.db',
  positionals: [1, 1],
  async run({ positionals: [name = ''] }) {
    const file = resolve(name);
    const verified = verifyDatabaseFile(file);
    const rows = Object.entries(verified.rows).map(([name, count]) => [name, String(count)]);
    return {
      json: { file, ...verified },
      text: `${file} can be used: ${verified.bytes} bytes, schema ${verified.migrations.at(-1)}\n\n${table(['table', 'rows'], rows)}`,
    };
  },
};
