import { unquote } from '../../address/local-part.ts';
import { knownBoolean, unknown } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** A shared address rather than a person's. */
export const roleAccount: Signal<boolean> = {
  subject: 'address',
  schema: { type: 'boolean' },
  about: 'The address belongs to a function or a team (info@, support@).',
  label: 'Role account',
  group: 'Email',
  from: 'list',
  lookup: { name: 'role_account', always: true, column: 'verdict' },
  gates: { name: 'role_account' },
  read({ address }, { lists }) {
    if (address === null) return unknown('not_applicable');
    return knownBoolean(lists.isRole(unquote(address.localPart)));
  },
  why({ address }, { lists }) {
    const isRole = address !== null && lists.isRole(unquote(address.localPart));
    return [{ source: 'roles', detail: `the local part is ${isRole ? '' : 'not '}a role name` }];
  },
};
