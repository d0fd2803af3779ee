import type { Lists } from '../../src/lists/lists.ts';
import type { Answer } from './disposable-peers.ts';

/** The fields that the frozen sets are about. */
export const scoredFields = [
  'disposable',
  'did_you_mean',
  'public_domain',
  'role_account',
  'relay_domain',
  'free_subdomain',
] as const;

/** What the lists answer about each field, without a network. */
export function ownAnswers(lists: Lists): Readonly<Record<(typeof scoredFields)[number], Answer>> {
  return {
    disposable: (name) => lists.isListed('disposable', name),
    did_you_mean: (name) => lists.suggest(name),
    public_domain: (name) => lists.isListed('public', name),
    relay_domain: (name) => lists.isListed('relay', name),
    free_subdomain: (name) => lists.isListed('free_subdomain', name),
    role_account: (_, address) => lists.isRole(address.slice(0, address.lastIndexOf('@'))),
  };
}

/** The answer about a value of a set: an address, or a domain that gets a local part. */
export function answerAbout(answer: Answer, value: string): unknown {
  const domain = value.slice(value.lastIndexOf('@') + 1);
  return answer(domain, value.includes('@') ? value : `jane.doe@${value}`);
}
