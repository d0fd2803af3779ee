import type { Config } from '../config.ts';
import type { CommandIo } from './io.ts';
import type { Paint } from './paint.ts';

/** The validated options and arguments of a command. */
export interface Invocation {
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The values of options that may be repeated. */
  readonly repeated: Readonly<Record<string, readonly string[] | undefined>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
  readonly config: Config;
  readonly json: boolean;
  readonly io: CommandIo;
}

/** An option of a command, with its line of help. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** The name of its value in the help: `FILE`. */
  readonly value?: string;
  /** Without it, the command is about the only account. */
  readonly isOnlyAccount?: true;
  /** It may be given several times. */
  readonly multiple?: true;
  readonly help: string;
}

/** The output of a command: one JSON document with `--json`, readable text without. */
export interface Output {
  readonly json: unknown;
  readonly text: string | ((paint: Paint) => string);
  /** Set when there is something to print although the command failed: one line on standard error, exit code 1. */
  readonly failure?: string;
}

/** One command of `signalpost`. */
export interface Command {
  /** One or two words: `serve`, `keys create`. */
  readonly name: string;
  /** The arguments after the name: `--account ID --environment E [--name N]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** A call that works, as the help shows it, without `signalpost`. */
  readonly example: string;
  /** The least and the most positional arguments. */
  readonly positionals: readonly [min: number, max: number];
  /** Null when the command prints by itself. */
  run(invocation: Invocation): Promise<Output | null>;
}

/** Wrong usage: exit code 2, with the correct usage. */
export class UsageError extends Error {}

/** The value of a required option. */
export function required(invocation: Invocation, name: string): string {
  const value = invocation.options[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** Rows as an aligned table with a heading. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [heading, ...rows].map(line).join('\n');
}
