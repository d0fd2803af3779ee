// Written by scripts/command-summaries.ts from the commands.
import type { Summary } from './help.ts';

/** Every command with its summary, in the order of the overview. */
export const summaries: readonly Summary[] = [
  {
    name: 'serve',
    summary: 'Run the service; the first start creates an account, and a key and a gate per environment',
  },
  {
    name: 'demo',
    summary:
      'Fill a separate data directory (DATA_DIR/demo) with a made-up month, and start on it: a first look without a network',
  },
  { name: 'accounts create', summary: 'Create an account' },
  { name: 'accounts list', summary: 'List the accounts' },
  { name: 'accounts update', summary: 'Change the name or the email address of an account' },
  {
    name: 'accounts delete',
    summary: 'Remove an account with its keys, gates, decision logs, statistics and blocklists; this cannot be undone',
  },
  { name: 'accounts set-plan', summary: 'Move an account to another plan' },
  { name: 'accounts set-overage', summary: 'Allow an account to use more credits than its plan has, or not' },
  { name: 'keys create', summary: 'Create a key; it is shown once' },
  { name: 'keys list', summary: "List an account's keys, without their secrets" },
  { name: 'keys revoke', summary: 'Revoke a key; it stops working within a second' },
  {
    name: 'keys import',
    summary: 'Import keys from elsewhere, read from standard input, one per line; all of them or none',
  },
  { name: 'users create', summary: 'Invite a user to the console; prints a link that works once, within a day' },
  { name: 'users list', summary: 'List the console users' },
  {
    name: 'users reset-password',
    summary:
      "Revoke a user's password and sessions, and print a link to set a new password; without a name, for the first user until a user has signed in",
  },
  { name: 'users delete', summary: 'Remove a user from the console; their sessions end immediately' },
  {
    name: 'blocklist import',
    summary:
      'Add the domains of a file or of standard input: one per line (# begins a comment), or CSV with a column "domain"',
  },
  { name: 'blocklist export', summary: 'Write the listed domains, oldest first, to a file or to standard output' },
  { name: 'custom-lists list', summary: "List an environment's own lists: name, kind, entries" },
  {
    name: 'custom-lists import',
    summary:
      'Add the entries of a file or of standard input: one per line, or CSV with the columns value, note, expires_at',
  },
  {
    name: 'custom-lists export',
    summary: 'Write the entries of a list as CSV, oldest first, to a file or to standard output',
  },
  { name: 'gates create', summary: 'Create a gate, with the rules for a sign-up form unless --preset none' },
  { name: 'gates list', summary: "List an environment's gates: id, name, rules, default action" },
  {
    name: 'gates export',
    summary:
      'Write the gates of an environment with their rules, ids and custom lists as JSON, to a file or to standard output',
  },
  {
    name: 'gates import',
    summary:
      'Add the gates and custom lists of an exported document, from a file or standard input; ids that are free are kept',
  },
  {
    name: 'hooks create',
    summary: 'Create a hook for an auth server, and print its secret and what to set at the server',
  },
  { name: 'hooks list', summary: "List an environment's hooks: name, format, last call, last error" },
  {
    name: 'hooks test',
    summary: 'Show what the auth server would send for a sign-up, and the response; nothing is logged',
  },
  { name: 'hooks rotate', summary: 'Replace the secret of a hook; the old one is accepted for 24 hours more' },
  { name: 'hooks delete', summary: 'Delete a hook; its URL then answers 404' },
  {
    name: 'decisions export',
    summary: 'Write the log entries of an account about a person, one JSON document per line',
  },
  {
    name: 'decisions erase',
    summary: 'Permanently remove what the log, the audit trail and earlier revisions of an account say about a person',
  },
  { name: 'waves list', summary: 'List waves of sign-ups, newest first' },
  { name: 'waves show', summary: 'Show a wave, what its value is, the rule against it and some of its decisions' },
  { name: 'waves judge', summary: 'Record a verdict; after "fine" the same value raises no wave for 30 days' },
  {
    name: 'waves outcome',
    summary: 'Report what became of all decisions that a wave was allowed, and print them as CSV',
  },
  {
    name: 'outcomes import',
    summary: 'Report the outcomes in a CSV file, or in standard input, with a column of addresses or decision ids',
  },
  { name: 'lists status', summary: 'Show the sources of the lists, their age and size, and your own entries' },
  { name: 'lists build', summary: 'Compile the lists again from the packages and downloads on this machine' },
  {
    name: 'lists update',
    summary: 'Download newer editions of the lists: of the named sources, or of every source that is on',
  },
  {
    name: 'lists learn',
    summary:
      'Learn the mail servers of disposable services from the DNS of listed domains; resumes where it was stopped',
  },
  { name: 'lists import-ranks', summary: 'Import a popularity ranking: rank,domain lines, plain, gzipped or zipped' },
  {
    name: 'lists add',
    summary:
      'Add domains to one of your own lists (disposable, public, relay, spam, allow); a running server uses them within a second',
  },
  { name: 'lists remove', summary: 'Remove domains from one of your own lists' },
  { name: 'lists entries', summary: 'Show the entries of one of your own lists' },
  { name: 'lists add-address', summary: 'Mark single addresses as disposable; only a SHA-256 of each is kept' },
  { name: 'lists remove-address', summary: 'Remove single addresses from that list' },
  { name: 'check', summary: 'Show the signals of addresses and domains, and of an IP address, without a server' },
  { name: 'bulk', summary: 'Add signals to every line of a file; with --out, it resumes an interrupted run' },
  {
    name: 'accuracy',
    summary: 'Score this instance against a labelled file of value,label lines; --labels lists the labels',
  },
  { name: 'audit', summary: 'Who changed accounts, keys, plans, gates and lists, when and from where; newest first' },
  {
    name: 'backup',
    summary:
      'Write a consistent copy of the embedded database while the service runs; with --keep, into a folder of the newest N',
  },
  { name: 'restore', summary: 'Verify a backup and put it into DATA_DIR; stop the service first' },
  {
    name: 'move',
    summary:
      'Copy everything from the embedded database into an empty PostgreSQL, compared by counts and checksums; stop the service first',
  },
  {
    name: 'verify',
    summary: 'Read a whole copy of the embedded database; say whether it can be used and what is in it',
  },
  {
    name: 'doctor',
    summary: 'Say what is wrong with the service: DNS, lists, disk, database, jobs, queues, slow requests',
  },
  { name: 'completion', summary: 'Print a script that completes commands and options in a shell' },
];
