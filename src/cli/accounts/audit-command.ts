import type { AuditLine } from '../../audit/audit.ts';
import { wireTime } from '../../http/wire-time.ts';
import { type Command, table, UsageError } from '../command.ts';
import { dateOption } from '../date-option.ts';
import { withService } from '../open-service.ts';

const usualLimit = 100;
const maxEntries = 100_000;

/** `signalpost audit`. */
export const auditCommand: Command = {
  name: 'audit',
  usage: '[--account ID] [--action A] [--actor ID] [--subject ID] [--from DATE] [--to DATE] [--limit N]',
  summary: 'Who changed accounts, keys, plans, gates and lists, when and from where; newest first',
  options: {
    account: { type: 'string', value: 'ID', help: 'only changes of this account' },
    action: { type: 'string', value: 'A', help: 'only this kind of change, such as key.created' },
    actor: { type: 'string', value: 'ID', help: 'only changes by this user or key' },
    subject: { type: 'string', value: 'ID', help: 'only changes of this object' },
    from: { type: 'string', value: 'DATE', help: 'not before this date' },
    to: { type: 'string', value: 'DATE', help: 'before this date' },
    limit: { type: 'string', value: 'N', help: 'how many entries; default 100' },
  },
  example: 'audit --from 2026-11-01 --limit 20',
  positionals: [0, 0],
  async run(invocation) {
    const { account, action, actor, subject, limit = String(usualLimit) } = invocation.options;
    if (!/^[1-9]\d{0,5}$/.test(limit) || Number(limit) > maxEntries) {
      throw new UsageError(`--limit is a number from 1 to ${maxEntries}, not "${limit}"`);
    }
    const fromMs = dateOption(invocation, 'from');
    const toMs = dateOption(invocation, 'to');
    const filter = {
      ...(account === undefined ? {} : { accountId: account }),
      ...(action === undefined ? {} : { action }),
      ...(actor === undefined ? {} : { actor }),
      ...(subject === undefined ? {} : { subject }),
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
    };
    const entries = await withService(invocation.config, async ({ stores, accounts }) => {
      const found = await stores.audit.list(filter, Number(limit));
      // A deleted account may still have entries.
      if (found.length === 0 && account !== undefined) await accounts.read(account);
      return found;
    });
    return { json: entries.map(wire), text: table(heading, entries.map(row)) };
  },
};

const heading = ['time', 'who', 'from', 'what', 'to', 'account', 'detail'];

function row({ atMs, by, action, subject, accountId, environment, detail }: AuditLine): string[] {
  const where = [accountId, environment].filter((part) => part !== null).join(' ');
  const more = Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
  return [wireTime(atMs), `${by.kind} ${by.id}`, by.from ?? '', action, subject, where, more];
}

function wire({ id, atMs, by, action, subject, accountId, environment, detail }: AuditLine): object {
  return { id, at: wireTime(atMs), actor: by, action, subject, account: accountId, environment, detail };
}
