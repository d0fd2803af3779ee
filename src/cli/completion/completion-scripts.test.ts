import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { completionScripts } from './completion-scripts.ts';

const commands = [
  { name: 'serve', summary: "Run the service's process", options: ['--json'] },
  { name: 'keys create', summary: 'Create a key', options: ['--account', '--json'] },
  { name: 'keys list', summary: 'List keys', options: ['--json'] },
];

/** What bash completes for typed words, the last of them unfinished. */
function completed(...words: readonly string[]): string[] {
  const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _signalpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${completionScripts.bash(commands)}${call}`], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('the completion of a shell', () => {
  it('the completion of bash offers commands, subcommands and the options of a command', () => {
    assert.deepEqual(completed('signalpost', ''), ['serve', 'keys']);
    assert.deepEqual(completed('signalpost', 'k'), ['keys']);
    assert.deepEqual(completed('signalpost', 'keys', ''), ['create', 'list']);
    assert.deepEqual(completed('signalpost', 'keys', 'create', '--a'), ['--account']);
    assert.deepEqual(completed('signalpost', 'serve', '--'), ['--json']);
  });

  it('the completion of fish quotes summaries', () => {
    assert.match(completionScripts.fish(commands), /-a serve -d 'Run the service'\\''s process'/);
  });

  it('the completion of zsh runs the script of bash', () => {
    assert.ok(completionScripts.zsh(commands).endsWith(completionScripts.bash(commands)));
  });
});
