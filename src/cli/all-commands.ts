import type { Command } from './command.ts';
import { serveCommand } from './serve-command.ts';

/** Commands that share their first word and a module, which is loaded when one of them is needed. */
interface CommandGroup {
  readonly word: string;
  load(): Promise<readonly Command[]>;
}

/** Every group of commands, in the order of the overview. */
const groups: readonly CommandGroup[] = [
  { word: 'serve', load: async () => [serveCommand] },
  { word: 'demo', load: async () => [(await import('./demo/demo-command.ts')).demoCommand] },
  { word: 'accounts', load: async () => (await import('./accounts/account-commands.ts')).accountCommands },
  { word: 'keys', load: async () => (await import('./accounts/key-commands.ts')).keyCommands },
  { word: 'users', load: async () => (await import('./accounts/user-commands.ts')).userCommands },
  { word: 'blocklist', load: async () => (await import('./blocklist-commands.ts')).blocklistCommands },
  { word: 'custom-lists', load: async () => (await import('./custom-list-commands.ts')).customListCommands },
  { word: 'gates', load: async () => (await import('./gates/gate-commands.ts')).gateCommands },
  { word: 'hooks', load: async () => (await import('./hook-commands.ts')).hookCommands },
  { word: 'decisions', load: async () => (await import('./gates/decision-commands.ts')).decisionCommands },
  { word: 'waves', load: async () => (await import('./wave-commands.ts')).waveCommands },
  { word: 'outcomes', load: async () => (await import('./gates/outcome-commands.ts')).outcomeCommands },
  { word: 'lists', load: async () => (await import('./lists/list-commands.ts')).listCommands },
  { word: 'check', load: async () => [(await import('./check-command.ts')).checkCommand] },
  { word: 'bulk', load: async () => [(await import('./bulk/bulk-command.ts')).bulkCommand] },
  { word: 'accuracy', load: async () => [(await import('./accuracy-command.ts')).accuracyCommand] },
  { word: 'audit', load: async () => [(await import('./accounts/audit-command.ts')).auditCommand] },
  { word: 'backup', load: async () => [(await import('./backup-command.ts')).backupCommand] },
  { word: 'restore', load: async () => [(await import('./restore-command.ts')).restoreCommand] },
  { word: 'move', load: async () => [(await import('./move-command.ts')).moveCommand] },
  { word: 'verify', load: async () => [(await import('./verify-command.ts')).verifyCommand] },
  { word: 'doctor', load: async () => [(await import('./doctor/doctor-command.ts')).doctorCommand] },
  { word: 'completion', load: async () => [(await import('./completion/completion-command.ts')).completionCommand] },
];

/** The commands that begin with a word; all of them for an unknown word. */
export async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const group = groups.find((one) => one.word === word);
  return group === undefined ? allCommands() : group.load();
}

/** Every command, in the order of the overview. */
export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(groups.map((group) => group.load()))).flat();
}
