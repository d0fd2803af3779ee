import { resolve } from 'node:path';
import type { Command } from './command.ts';
import { withWorkspace } from './workspace.ts';

/** `signalpost backup FILE`. */
export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Write a consistent copy of the embedded database while the service runs',
  options: {},
  positionals: [1, 1],
  async run({ config, positionals: [name = ''] }) {
    const file = resolve(name);
    await withWorkspace(config, ({ db }) => db.backup(file));
    return { json: { file }, text: `Backed up to ${file}` };
  },
};
