import { described, type Input, into, nullable, refused } from '../input/input.ts';
import { defaulted, object, optional } from '../input/object.ts';
import { choice, flag, type Limit, text } from '../input/scalar.ts';
import { characters, notBlank, storable } from '../input/text-limits.ts';
import { type FormatName, formatNames, formatOf } from './formats/all.ts';
import { defaultMessage, type HookSettings, hookAnswers } from './hook.ts';

/** A request to create a hook. */
export interface NewHook {
  readonly settings: HookSettings;
  readonly format: FormatName;
  /** Undefined to generate one. */
  readonly secret: string | undefined;
}

/** A change; `format` is compared with the hook's, which never changes. */
export interface HookChange {
  readonly settings: Partial<HookSettings>;
  readonly format: FormatName | undefined;
}

/** Response fields that clients cannot set. They are accepted and ignored, so that clients may send a hook as they read it. */
const readOnly = [
  'id',
  'url',
  'secret_hint',
  'last_call_at',
  'last_error',
  'calls_24h',
  'configuration',
  'created_at',
  'updated_at',
];

const id: Limit<string> = {
  schema: { maxLength: 26 },
  holds: (value) => /^[0-9a-z]{1,26}$/i.test(value),
  problem: () => 'There is no such gate.',
};

const fields = {
  name: text('The name', [characters(1, 120), notBlank, storable]),
  gate_id: described(text('The gate_id', [id]), { description: 'The gate that decides' }),
  enabled: described(flag('The enabled field'), {
    description: 'A disabled hook verifies calls and allows every sign-up without a decision',
  }),
  challenge: described(choice('The challenge field', hookAnswers), {
    description: 'The answer when the gate says challenge: no auth server can show one',
  }),
  unavailable: described(choice('The unavailable field', hookAnswers), {
    description: 'The answer when the service cannot decide',
  }),
  message: described(text('The message', [characters(1, 200), notBlank, storable]), {
    description: 'Shown to a blocked visitor when the deciding rule has no message',
  }),
};

export const formatInput = described(choice('The format', formatNames), {
  description: 'The auth server; it cannot be changed',
});

/** 24 to 200 printable ASCII characters, without blanks at the ends: headers lose them. */
const secretText: Limit<string> = {
  schema: { minLength: 24, maxLength: 200 },
  holds: (value) => /^[\x21-\x7e][\x20-\x7e]{22,198}[\x21-\x7e]$/.test(value),
  problem: (label) => `${label} must have 24 to 200 printable ASCII characters.`,
};

const secretInput = described(text('The secret', [secretText]), {
  description:
    'For supabase "v1,whsec_" and 24 to 64 bytes in base64. Without it one is generated, except for zitadel and workos',
});

/** Why a secret does not fit a format; null when it does. */
export function secretProblem(format: FormatName, secret: string): string | null {
  const form = formatOf(format).secretForm;
  return form === undefined || form.pattern.test(secret) ? null : `The secret must be ${form.description}.`;
}

/** The body that creates a hook. */
export const createdHook: Input<NewHook> = into(
  object(
    {
      name: fields.name,
      gate_id: fields.gate_id,
      format: formatInput,
      secret: optional(nullable(secretInput)),
      enabled: defaulted(fields.enabled, true),
      challenge: defaulted(fields.challenge, 'allow'),
      unavailable: defaulted(fields.unavailable, 'allow'),
      message: defaulted(fields.message, defaultMessage),
    },
    { readOnly },
  ),
  ({ gate_id, format, secret, ...others }, _path, problems) => {
    const problem = typeof secret === 'string' ? secretProblem(format, secret) : null;
    if (problem !== null) {
      problems.add('secret', problem);
      return refused;
    }
    return { settings: { ...others, gateId: gate_id.toLowerCase() }, format, secret: secret ?? undefined };
  },
);

/** The body that changes a hook. */
export const changedHook: Input<HookChange> = into(
  object(
    {
      name: optional(fields.name),
      gate_id: optional(fields.gate_id),
      format: optional(formatInput),
      enabled: optional(fields.enabled),
      challenge: optional(fields.challenge),
      unavailable: optional(fields.unavailable),
      message: optional(fields.message),
    },
    { readOnly },
  ),
  ({ gate_id, format, ...others }) => ({
    settings: { ...others, ...(gate_id === undefined ? {} : { gateId: gate_id.toLowerCase() }) },
    format,
  }),
);

/** The body that rotates a secret. */
export const rotatedSecret: Input<{ readonly secret: string | undefined; readonly keepOld: boolean }> = into(
  object({
    secret: optional(secretInput),
    keep_old: defaulted(
      described(flag('The keep_old field'), { description: 'Whether the old secret is accepted for 24 hours more' }),
      true,
    ),
  }),
  ({ secret, keep_old }) => ({ secret, keepOld: keep_old }),
);

/** The body that tests a hook. */
export const testedSignUp: Input<{ readonly email: string; readonly ip: string | null }> = into(
  object({
    email: text('The email field', [characters(1, 320)]),
    ip: optional(nullable(text('The ip field', [characters(1, 100)]))),
  }),
  ({ email, ip }) => ({ email, ip: ip ?? null }),
);
