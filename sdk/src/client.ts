import { blocklistCalls } from './blocklist.ts';
import { createCall } from './call.ts';
import { gatesCalls } from './gates.ts';
import { hookCalls } from './hooks.ts';
import { listCalls } from './lists.ts';
import { lookupCalls } from './lookups.ts';
import { outcomeCalls } from './outcomes.ts';
import { type ClientSettings, readSettings } from './settings.ts';
import { waveCalls } from './waves.ts';
import { webhookCalls } from './webhooks.ts';

type Lookups = ReturnType<typeof lookupCalls>;

/** A client of a Signalpost service; its functions may be taken apart and passed on. */
export class Signalpost {
  /** Looks up an email address and its domain. */
  readonly email: Lookups['email'];
  /** Looks up a domain. */
  readonly domain: Lookups['domain'];
  /** Plan, usage and remaining credits. */
  readonly status: Lookups['status'];
  /** The account's own list of domains, one for each environment. */
  readonly blocklist: ReturnType<typeof blocklistCalls>;
  /** Rules that decide. */
  readonly gates: ReturnType<typeof gatesCalls>;
  /** Reported outcomes of decisions. */
  readonly outcomes: ReturnType<typeof outcomeCalls>;
  /** Waves of sign-ups that arrived together. */
  readonly waves: ReturnType<typeof waveCalls>;
  /** Custom lists, for use in rules. */
  readonly lists: ReturnType<typeof listCalls>;
  /** Hooks, which auth servers call before they create a user. */
  readonly hooks: ReturnType<typeof hookCalls>;
  /** Webhooks, which receive events. */
  readonly webhooks: ReturnType<typeof webhookCalls>;

  constructor(settings: ClientSettings) {
    const call = createCall(readSettings(settings));
    const { email, domain, status } = lookupCalls(call);
    this.email = email;
    this.domain = domain;
    this.status = status;
    this.blocklist = blocklistCalls(call);
    this.gates = gatesCalls(call);
    this.waves = waveCalls(call);
    this.outcomes = outcomeCalls(call);
    this.lists = listCalls(call);
    this.hooks = hookCalls(call);
    this.webhooks = webhookCalls(call);
  }
}
