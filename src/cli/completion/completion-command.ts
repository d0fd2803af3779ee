import { type Command, UsageError } from '../command.ts';
import { optionsOf } from '../help.ts';
import { completionScripts } from './completion-scripts.ts';

const shells = Object.keys(completionScripts) as (keyof typeof completionScripts)[];

/** `signalpost completion`, for commands of which it is one itself. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: shells.join('|'),
  summary: 'Print a script that completes commands and options in a shell',
  options: {},
  example: 'completion bash',
  positionals: [1, 1],
  async run({ positionals: [typed = ''] }) {
    const shell = shells.find((name) => name === typed);
    if (shell === undefined) throw new UsageError(`the shell is one of ${shells.join(', ')}, not "${typed}"`);
    const words = commands().map((command) => ({
      name: command.name,
      summary: command.summary,
      options: Object.keys(optionsOf(command)).map((name) => `--${name}`),
    }));
    const script = completionScripts[shell](words);
    return { json: { shell, script }, text: script.trimEnd() };
  },
});
