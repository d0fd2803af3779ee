import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { errorMessage } from '../error-message.ts';
import { AppError } from '../errors.ts';
import { version } from '../version.ts';
import { accountCommands } from './account-commands.ts';
import { backupCommand } from './backup-command.ts';
import { blocklistCommands } from './blocklist-commands.ts';
import { checkCommand } from './check-command.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { keyCommands } from './key-commands.ts';
import { listCommands } from './list-commands.ts';
import { serveCommand } from './serve-command.ts';

const commands: readonly Command[] = [
  serveCommand,
  ...accountCommands,
  ...keyCommands,
  ...blocklistCommands,
  ...listCommands,
  checkCommand,
  backupCommand,
];

/** Runs `signalpost` with the words after its name. The exit code: 0 success, 1 failure, 2 wrong usage. */
export async function run(argv: readonly string[]): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') {
    process.stdout.write(overview());
    return argv.length === 0 ? 2 : 0;
  }
  if (argv[0] === '--version') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const command = findCommand(argv);
  if (command === undefined)
    return fail(2, `there is no command "${argv.slice(0, 2).join(' ')}"; see signalpost --help`);
  const rest = argv.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${command.summary}\n\nUsage: ${usageLine(command)}\n`);
    return 0;
  }
  try {
    const invocation = parse(command, rest);
    const output = await command.run(invocation);
    if (output === null) return 0;
    process.stdout.write(invocation.json ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`);
    return output.failure === undefined ? 0 : fail(1, output.failure);
  } catch (error) {
    if (error instanceof UsageError) return fail(2, `${error.message}\nUsage: ${usageLine(command)}`);
    if (error instanceof ConfigError) return fail(1, error.message);
    return fail(1, oneLine(error));
  }
}

function findCommand(argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word));
}

function parse(command: Command, words: readonly string[]): Invocation {
  const { values, positionals } = parseWords(command, words);
  const [min, max] = command.positionals;
  if (positionals.length < min) throw new UsageError('an argument is missing');
  if (positionals.length > max) throw new UsageError(`unexpected argument "${positionals[max]}"`);
  const entries: [string, unknown][] = Object.entries(values);
  return {
    options: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    positionals,
    config: readConfig(),
    json: values.json === true,
  };
}

function parseWords(command: Command, words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: { ...command.options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function usageLine({ name, usage }: Command): string {
  return `signalpost ${name}${usage === '' ? '' : ` ${usage}`} [--json]`;
}

function overview(): string {
  const lines = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`);
  return `signalpost ${version}: email and domain signals, and rules that decide\n\nCommands:\n${lines.join('\n')}\n\nEvery command takes --json and --help. Settings are environment variables; see docs/self-hosting.md.\n`;
}

function fail(code: number, message: string): number {
  process.stderr.write(`signalpost: ${message}\n`);
  return code;
}

/** The sentence of an error; when the storage is away, the reason too, which its own sentence leaves out. */
function oneLine(error: unknown): string {
  let message = errorMessage(error);
  if (error instanceof AppError && error.cause instanceof Error) message += `: ${reasonOf(error.cause)}`;
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

/** A refused connection to a name with several addresses is an AggregateError without a sentence of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(String).join(', ');
  return error.message;
}
