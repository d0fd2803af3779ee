import { hostname, userInfo } from 'node:os';
import type { Actor } from '../actor.ts';

/** The user who runs this command, for the audit trail. */
export function operator(): Actor {
  return { kind: 'command', id: userName(), from: hostname() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a process may run under a number that no user has.
    return `uid ${process.geteuid?.() ?? 'unknown'}`;
  }
}
