import { isIP } from 'node:net';
import { described, type Input, into, nullable, refused } from '../input/input.ts';
import { items, list } from '../input/list.ts';
import { defaulted, object, partial } from '../input/object.ts';
import { choice, flag, type Limit, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { maxCharacters, storable } from '../input/text-limits.ts';
import { eventTypes } from './events.ts';
import { decidedActions, formats, type WebhookSettings } from './webhook.ts';

const maxUrlLength = 2_048;
const maxGateIds = 100;

/** Whether the operator allows plain http and local hosts for this URL. */
export type IsAllowed = (url: URL) => boolean;

/** The request bodies that create and change a webhook. */
export interface WebhookInputs {
  readonly created: Input<WebhookSettings>;
  readonly changed: Input<Partial<WebhookSettings>>;
}

/** Response fields that clients cannot set. They are accepted and ignored, so that clients may send a webhook as they read it. */
const readOnly = [
  'id',
  'disabled_reason',
  'failing_since',
  'old_secret_valid_until',
  'secret',
  'created_at',
  'updated_at',
];

/** The fields that do not depend on the operator's settings. */
export const plainFields = {
  description: nullable(text('The description', [maxCharacters(500), storable], 'a string or null')),
  events: described(
    unique(
      list('The events field', choice('Each event', eventTypes), {
        limits: [items(1, 20, 'The events field must have 1 to 20 events.')],
      }),
    ),
    { description: 'The event types that the webhook subscribes to' },
  ),
  gate_ids: described(
    unique(
      list('The gate_ids field', text('Each gate id', [gateId()]), {
        limits: [items(0, maxGateIds, `The gate_ids field must not have more than ${maxGateIds} ids.`)],
      }),
    ),
    { description: '`gate.decision` only for decisions of these gates; all when empty' },
  ),
  actions: described(
    unique(
      list('The actions field', choice('Each action', decidedActions), {
        limits: [items(0, 20, 'The actions field must not have more than 20 actions.')],
      }),
    ),
    { description: '`gate.decision` only for these actions; all when empty' },
  ),
  format: described(choice('The format', formats), {
    description: '`standard` follows Standard Webhooks; `usercheck` is for receivers written for UserCheck',
  }),
  enabled: flag('The enabled field'),
};

export const urlSchema = schema.string({ format: 'uri', maxLength: maxUrlLength });

/** How the URL of a webhook is judged. */
export interface UrlRules {
  /** Recognises origins that the operator exempted. */
  readonly isAllowed: IsAllowed;
  readonly isPublicAddress: (ip: string) => boolean;
}

/** Creates the inputs. */
export function webhookInputs(rules: UrlRules): WebhookInputs {
  const url = urlInput(rules);
  const { description, events, gate_ids, actions, format, enabled } = plainFields;
  return {
    created: into(
      object(
        {
          url,
          events,
          description: defaulted(description, null),
          gate_ids: defaulted(gate_ids, []),
          actions: defaulted(actions, []),
          format: defaulted(format, 'standard'),
          enabled: defaulted(enabled, true),
        },
        { readOnly },
      ),
      ({ gate_ids: gateIds, ...others }) => ({ ...others, gateIds }),
    ),
    changed: into(object(partial({ url, ...plainFields }), { readOnly }), ({ gate_ids: gateIds, ...others }) => ({
      ...others,
      ...(gateIds === undefined ? {} : { gateIds }),
    })),
  };
}

function urlInput(rules: UrlRules): Input<string> {
  const sent = { ...text('The url', [maxCharacters(maxUrlLength), storable]), schema: urlSchema };
  return described(
    into(sent, (value, path, problems) => {
      const problem = problemOf(value, rules);
      if (problem === null) return value;
      problems.add(path, problem);
      return refused;
    }),
    { description: "An https URL. Plain http and the service's own host require an origin in OUTBOUND_ALLOW" },
  );
}

function problemOf(value: string, { isAllowed, isPublicAddress }: UrlRules): string | null {
  // The URL parser drops blanks and control characters, but the stored URL must be the validated one.
  const url = /^[\x21-\x7e]+$/.test(value) ? URL.parse(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'The url must be an https URL.';
  if (url.username !== '' || url.password !== '') return 'The url must not carry credentials.';
  if (value.includes('#')) return 'The url must not have a fragment.';
  if (isAllowed(url)) return null;
  // Outbound requests to these hosts are blocked, so reject the webhook now instead of failing every delivery.
  if (isLocalName(url.hostname)) return `The url leads to the machine of the service; ${allowing(url)}`;
  const ip = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(ip) !== 0 && !isPublicAddress(ip)) return `The url leads to an address that is not public; ${allowing(url)}`;
  return url.protocol === 'https:' ? null : `The url must be an https URL; for plain http ${allowing(url)}`;
}

const allowing = ({ origin }: URL): string => `the operator has to name ${origin} in OUTBOUND_ALLOW.`;

/** RFC 6761, section 6.3: `localhost` and every name below it. The URL parser has written addresses in their usual form already. */
function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.*$/.test(hostname);
}

function unique<T>(input: Input<readonly T[]>): Input<readonly T[]> {
  return into(input, (values) => [...new Set(values)]);
}

function gateId(): Limit<string> {
  return {
    schema: { pattern: '^[0-9a-z]{26}$' },
    holds: (value) => /^[0-9a-z]{26}$/.test(value),
    problem: (label) => `${label} must be the id of a gate.`,
  };
}
