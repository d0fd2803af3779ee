import { slipCost } from '../address/typing-slip.ts';
import { version } from '../version.ts';
import type { Command, Option } from './command.ts';
import type { Paint } from './paint.ts';

/** A command as the overview lists it. */
export type Summary = Pick<Command, 'name' | 'summary'>;

const everywhere: Command['options'] = {
  json: { type: 'boolean', help: 'print one JSON document on standard output' },
  help: { type: 'boolean', help: 'show this help' },
};

/** The options of a command, with those that every command takes. */
export const optionsOf = (command: Command): Command['options'] => ({ ...command.options, ...everywhere });

/** The usage of a command on one line. */
export function usageLine({ name, usage }: Command): string {
  return `signalpost ${name}${usage === '' ? '' : ` ${usage}`} [--json]`;
}

/** The help of one command: a line per option, and an example. */
export function commandHelp(command: Command, paint: Paint): string {
  const rows = Object.entries(optionsOf(command)).map(([name, option]) => [optionName(name, option), option.help]);
  return [
    command.summary,
    `${paint('bold', 'Usage:')} ${usageLine(command)}`,
    `${paint('bold', 'Options:')}\n${aligned(rows)}`,
    `${paint('bold', 'Example:')}\n  signalpost ${command.example}`,
  ].join('\n\n');
}

const optionName = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

/** The commands of a group, with their summaries. */
export function groupHelp(group: readonly Command[], paint: Paint): string {
  return `${paint('bold', 'Commands:')}\n${summaries(group)}\n\nEach command takes --help.`;
}

/** Every command with its summary. */
export function overview(commands: readonly Summary[], paint: Paint): string {
  return [
    `signalpost ${version}: email and domain signals, and rules that decide`,
    `${paint('bold', 'Commands:')}\n${summaries(commands)}`,
    'Every command takes --json and --help. Settings are environment variables; see docs/self-hosting.md.',
  ].join('\n\n');
}

const summaries = (commands: readonly Summary[]): string =>
  aligned(commands.map(({ name, summary }) => [name, summary]));

function aligned(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', text = '']) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

/** The known word that a mistyped or shortened one is closest to, as a question; empty when none is close. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const begun = [...known].filter((word) => word.startsWith(typed));
  if (begun.length === 1) return `; did you mean "${begun[0]}"?`;
  const costs = [...known].map((word) => ({ word, cost: slipCost(typed, word, Math.min(2, typed.length - 1)) }));
  const [best] = costs.filter(({ cost }) => Number.isFinite(cost)).sort((one, other) => one.cost - other.cost);
  return best === undefined ? '' : `; did you mean "${best.word}"?`;
}
