import { summaries } from './command-summaries.ts';
import { overview } from './help.ts';
import type { CommandIo } from './io.ts';
import { paintFor } from './paint.ts';

/** Prints every command with its summary as this process. Its bundle loads nothing else. */
export async function runProcess(argv: readonly string[]): Promise<number> {
  return printOverview(argv, process);
}

/** Prints the overview: asked for with `--help`, or because a command is missing. Returns the exit code. */
export function printOverview(argv: readonly string[], io: CommandIo): number {
  io.stdout.write(`${overview(summaries, paintFor(io.stdout, io.env))}\n`);
  return argv.length === 0 ? 2 : 0;
}
