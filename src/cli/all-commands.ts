import { accountCommands } from './accounts/account-commands.ts';
import { auditCommand } from './accounts/audit-command.ts';
import { keyCommands } from './accounts/key-commands.ts';
import { withOnlyAccount } from './accounts/only-account.ts';
import { userCommands } from './accounts/user-commands.ts';
import { accuracyCommand } from './accuracy/accuracy-command.ts';
import { backupCommand } from './backup-command.ts';
import { blocklistCommands } from './blocklist-commands.ts';
import { bulkCommand } from './bulk/bulk-command.ts';
import { checkCommand } from './check-command.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion/completion-command.ts';
import { customListCommands } from './custom-list-commands.ts';
import { demoCommand } from './demo/demo-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { decisionCommands } from './gates/decision-commands.ts';
import { gateCommands } from './gates/gate-commands.ts';
import { outcomeCommands } from './gates/outcome-commands.ts';
import { hookCommands } from './hook-commands.ts';
import { listCommands } from './lists/list-commands.ts';
import { moveCommand } from './move-command.ts';
import { restoreCommand } from './restore-command.ts';
import { serveCommand } from './serve-command.ts';
import { verifyCommand } from './verify-command.ts';
import { waveCommands } from './wave-commands.ts';

/** Every command, in the order of the overview. */
export const allCommands: readonly Command[] = [
  serveCommand,
  demoCommand,
  ...accountCommands,
  ...keyCommands,
  ...userCommands,
  ...blocklistCommands,
  ...customListCommands,
  ...gateCommands,
  ...hookCommands,
  ...decisionCommands,
  ...waveCommands,
  ...outcomeCommands,
  ...listCommands,
  checkCommand,
  bulkCommand,
  accuracyCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  verifyCommand,
  doctorCommand,
  completionCommand(() => allCommands),
].map(withOnlyAccount);
