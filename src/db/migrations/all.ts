import type { Migration } from '../migrate.ts';
import { accounts } from './0001-accounts.ts';
import { blocklist } from './0002-blocklist.ts';
import { facts } from './0003-facts.ts';
import { gates } from './0004-gates.ts';
import { changePositions } from './0005-change-positions.ts';
import { audit } from './0006-audit.ts';
import { gateWait } from './0007-gate-wait.ts';
import { mailHosts } from './0008-mail-hosts.ts';
import { decisionSegments } from './0009-decision-segments.ts';
import { gateRevisions } from './0010-gate-revisions.ts';
import { users } from './0011-users.ts';
import { creditLeases } from './0012-credit-leases.ts';
import { lookupCounts } from './0013-lookup-counts.ts';
import { ruleDays } from './0014-rule-days.ts';
import { webhooks } from './0015-webhooks.ts';
import { operatorEntries } from './0016-operator-entries.ts';
import { seenDomains } from './0017-seen-domains.ts';
import { signInTries } from './0018-sign-in-tries.ts';
import { sharedLists } from './0019-shared-lists.ts';
import { environmentCounts } from './0020-environment-counts.ts';
import { flagComparisonLeases } from './0021-flag-comparison-leases.ts';

/** Every migration in the order it is applied; a new one is added at the end. */
export const allMigrations: readonly Migration[] = [
  accounts,
  blocklist,
  facts,
  gates,
  changePositions,
  audit,
  gateWait,
  mailHosts,
  decisionSegments,
  gateRevisions,
  users,
  creditLeases,
  lookupCounts,
  ruleDays,
  webhooks,
  operatorEntries,
  seenDomains,
  signInTries,
  sharedLists,
  environmentCounts,
  flagComparisonLeases,
];
