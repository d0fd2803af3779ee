import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { errorMessage } from '../error-message.ts';
import { AppError } from '../errors.ts';
import { version } from '../version.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { commandHelp, didYouMean, groupHelp, optionsOf, usageLine } from './help.ts';
import type { CommandIo } from './io.ts';
import { paintFor } from './paint.ts';
import { printOverview } from './print-overview.ts';
import { serveCommand } from './serve-command.ts';

/** Runs `signalpost` as this process, with the arguments after its name. */
export function runProcess(argv: readonly string[]): Promise<number> {
  // Output files may contain key hashes or email addresses: only the user who runs the command may read them.
  process.umask(0o077);
  process.stdout.on('error', ignoreBrokenPipe);
  return run(argv, process);
}

/** Runs one command on the given streams. Returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const paint = paintFor(io.stdout, io.env);
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || (argv[0] === 'help' && argv.length === 1)) {
    return printOverview(argv, io);
  }
  if (argv[0] === '--version') {
    io.stdout.write(`${version}\n`);
    return 0;
  }
  // `serve` loads no other command, so that the service starts sooner.
  const commands = argv[0] === 'serve' ? [serveCommand] : (await import('./all-commands.ts')).allCommands;
  const command = findCommand(commands, argv[0] === 'help' ? argv.slice(1) : argv);
  if (command === undefined) return helpForGroup(commands, argv, io);
  const rest = argv.slice(command.name.split(' ').length);
  if (argv[0] === 'help' || rest.includes('--help') || rest.includes('-h')) {
    io.stdout.write(`${commandHelp(command, paint)}\n`);
    return 0;
  }
  try {
    const invocation = parse(command, rest, io);
    const output = await command.run(invocation);
    if (output === null) return 0;
    const { text } = output;
    const shown = typeof text === 'string' ? text : text(paint);
    io.stdout.write(invocation.json ? `${JSON.stringify(output.json)}\n` : `${shown}\n`);
    return output.failure === undefined ? 0 : fail(io, 1, output.failure);
  } catch (error) {
    if (isBrokenPipe(error)) return 0;
    if (error instanceof UsageError) return fail(io, 2, `${error.message}\nUsage: ${usageLine(command)}`);
    if (error instanceof ConfigError) return fail(io, 1, error.message);
    return fail(io, 1, oneLine(error));
  }
}

function findCommand(commands: readonly Command[], argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word));
}

/** Prints a group's commands for `accounts --help`; anything else is wrong usage. */
function helpForGroup(commands: readonly Command[], argv: readonly string[], io: CommandIo): number {
  const [word = '', second] = argv[0] === 'help' ? argv.slice(1) : argv;
  const group = commands.filter(({ name }) => name.split(' ')[0] === word);
  if (group.length > 0 && (argv[0] === 'help' || second === '--help' || second === '-h' || second === 'help')) {
    io.stdout.write(`${groupHelp(group, paintFor(io.stdout, io.env))}\n`);
    return 0;
  }
  if (group.length === 0) {
    const hint = didYouMean(
      word,
      new Set(['--help', '--version', ...commands.map(({ name }) => name.split(' ')[0] ?? '')]),
    );
    return fail(
      io,
      2,
      `unknown command "${argv.slice(0, 2).join(' ')}"${hint}; run signalpost --help for all commands`,
    );
  }
  const names = group.map(({ name }) => name);
  const hint = didYouMean(`${word} ${second}`, names);
  const problem =
    second === undefined ? `missing subcommand after "${word}"` : `unknown command "${word} ${second}"${hint}`;
  return fail(io, 2, `${problem}; use one of: ${names.join(', ')}. Run signalpost ${word} --help for details`);
}

/** The reader closed the pipe early (`… | head`): this is not a failure. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function ignoreBrokenPipe(error: Error): void {
  if (!isBrokenPipe(error)) throw error;
}

function parse(command: Command, words: readonly string[], io: CommandIo): Invocation {
  const { values, positionals } = parseWords(command, words);
  const [min, max] = command.positionals;
  if (positionals.length < min) throw new UsageError(`missing argument: expected ${min}, got ${positionals.length}`);
  if (positionals.length > max) throw new UsageError(`unexpected argument "${positionals[max]}"`);
  const entries: [string, unknown][] = Object.entries(values);
  return {
    options: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    repeated: Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    positionals,
    config: readConfig(io.env),
    json: values.json === true,
    io,
  };
}

function parseWords(command: Command, words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: optionsOf(command),
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const [, typed] = /^Unknown option '--([^'=]+)/.exec(errorMessage(error)) ?? [];
    if (typed === undefined) throw new UsageError(errorMessage(error));
    const names = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    throw new UsageError(`unknown option "--${typed}"${didYouMean(`--${typed}`, names)}`);
  }
}

function fail(io: CommandIo, code: number, message: string): number {
  io.stderr.write(`${paintFor(io.stderr, io.env)('red', 'signalpost:')} ${message}\n`);
  return code;
}

/** The message of an error; for unavailable storage also the reason, which the message leaves out. */
function oneLine(error: unknown): string {
  let message = errorMessage(error);
  if (error instanceof AppError && error.cause instanceof Error) message += `: ${reasonOf(error.cause)}`;
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

/** A refused connection to a name with several addresses is an AggregateError without its own message. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(String).join(', ');
  return error.message;
}
