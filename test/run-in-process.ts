import { Readable, Writable } from 'node:stream';
import { run } from '../src/cli/cli.ts';

/** What a command printed and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, with no environment variables but the given ones: for wrong usage, which a new process makes slow. */
export async function runInProcess(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stdin = '',
): Promise<CommandResult> {
  const stdout = collector();
  const stderr = collector();
  const code = await run(words, { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, env });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(): Writable & { text(): string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(pieces).toString('utf8') });
}
