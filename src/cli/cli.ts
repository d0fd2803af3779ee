import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { errorMessage } from '../error-message.ts';
import { AppError } from '../errors.ts';
import { version } from '../version.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { serveCommand } from './serve-command.ts';

/** Runs `signalpost` with the words after its name. The exit code: 0 success, 1 failure, 2 wrong usage. */
export async function run(argv: readonly string[]): Promise<number> {
  // Only what it needs is loaded for the service, so that it starts sooner.
  const commands = argv[0] === 'serve' ? [serveCommand] : (await import('./all-commands.ts')).allCommands;
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || (argv[0] === 'help' && argv.length === 1)) {
    process.stdout.write(overview(commands));
    return argv.length === 0 ? 2 : 0;
  }
  // Whatever a command writes may hold keys' hashes or people's addresses: only the user who ran the command may read them.
  process.umask(0o077);
  if (argv[0] === '--version') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  process.stdout.on('error', quietWhenNobodyReads);
  const command = findCommand(commands, argv);
  if (command === undefined) return helpForGroup(commands, argv);
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
    if (isBrokenPipe(error)) return 0;
    if (error instanceof UsageError) return fail(2, `${error.message}\nUsage: ${usageLine(command)}`);
    if (error instanceof ConfigError) return fail(1, error.message);
    return fail(1, oneLine(error));
  }
}

function findCommand(commands: readonly Command[], argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word));
}

/** The commands that begin with the word, asked for with `accounts --help`; anything else is wrong usage. */
function helpForGroup(commands: readonly Command[], argv: readonly string[]): number {
  const [word = '', second] = argv[0] === 'help' ? argv.slice(1) : argv;
  const group = commands.filter(({ name }) => name.split(' ')[0] === word);
  if (group.length > 0 && (argv[0] === 'help' || second === '--help' || second === '-h' || second === 'help')) {
    process.stdout.write(`Commands:\n${lines(group)}\n\nEach of them takes --help.\n`);
    return 0;
  }
  if (group.length === 0) return fail(2, `there is no command "${argv.slice(0, 2).join(' ')}"; see signalpost --help`);
  const names = group.map(({ name }) => name).join(', ');
  const asked = second === undefined ? 'a word is missing' : `there is no command "${word} ${second}"`;
  return fail(2, `${asked}; there are ${names}; see signalpost ${word} --help`);
}

/** The reader of our output has seen enough (`… | head`): nothing went wrong, and there is nobody to tell. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function quietWhenNobodyReads(error: Error): void {
  if (!isBrokenPipe(error)) throw error;
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

function lines(some: readonly Command[]): string {
  return some.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`).join('\n');
}

function overview(commands: readonly Command[]): string {
  return `signalpost ${version}: email and domain signals, and rules that decide\n\nCommands:\n${lines(commands)}\n\nEvery command takes --json and --help. Settings are environment variables; see docs/self-hosting.md.\n`;
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
