import { type IpAddress, parseIp } from '../../address/ip.ts';
import { AppError } from '../../errors.ts';
import { described, type Input, into, nullable, refused } from '../../input/input.ts';
import { type ObjectOf, object, optional } from '../../input/object.ts';
import { text } from '../../input/scalar.ts';
import { schema } from '../../input/schema.ts';
import { characters } from '../../input/text-limits.ts';
import { addressSubject, domainSubject, type Subject } from '../../signals/subject.ts';
import type { DecisionRequest } from './decision.ts';

/** More names than this cannot all be known. */
const maxWaitNames = 50;

const deviceCharacters = characters(1, 200);

/** Whether a text can be the identifier of a device. */
export const isDevice = (text: string): boolean => deviceCharacters.holds(text);

const nothing: ReadonlySet<string> = new Set();

const namesInput: Input<ReadonlySet<string>> = {
  schema: schema.array(schema.string(), { maxItems: maxWaitNames }),
  read(value, path, problems) {
    if (isNames(value)) return new Set(value);
    problems.add(path, `The ${path} field must be a list of field names.`);
    return refused;
  },
};

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= maxWaitNames && value.every((name) => typeof name === 'string');
}

/** The subject of a decision. */
export const questionFields = {
  email: optional(
    described(nullable(text('The email field')), { description: 'The address to decide about; or send domain' }),
  ),
  domain: optional(
    described(nullable(text('The domain field')), { description: 'The domain to decide about; or send email' }),
  ),
  ip: optional(
    described(nullable(text('The ip field')), { description: "The visitor's IP address; costs 2 more credits" }),
  ),
  device: optional(
    described(nullable(text('The device field', [deviceCharacters])), {
      description:
        "Your identifier of the visitor's device, such as a fingerprint or an installation id. Only a keyed hash of it is kept",
    }),
  ),
  wait: optional(
    described(nullable(namesInput), {
      description: 'Delays the response until these are resolved: domain_age_in_days, domain_authority',
    }),
  ),
};

/** The body of a request for a decision. Null counts as absent; unknown fields are ignored. */
export const decisionRequestInput: Input<DecisionRequest> = into(
  object(questionFields, { unknownFields: 'ignored' }),
  questionOf,
);

/** Reads a request for a decision; throws when it is not valid. */
export function questionOf(given: ObjectOf<typeof questionFields>): DecisionRequest {
  const email = given.email ?? undefined;
  const domain = given.domain ?? undefined;
  const ip = given.ip ?? undefined;
  if (email !== undefined && domain !== undefined) throw new AppError('both_email_and_domain_provided');
  const wait = given.wait ?? nothing;
  const device = given.device ?? null;
  if (email !== undefined) {
    const subject = readAddress(email);
    const address = ipOf(ip);
    return { input: ip === undefined ? { email } : { email, ip }, subject, ip: address, device, wait };
  }
  if (domain === undefined) throw new AppError('missing_input');
  const subject = readDomain(domain);
  const address = ipOf(ip);
  return { input: ip === undefined ? { domain } : { domain, ip }, subject, ip: address, device, wait };
}

function readAddress(text: string): Subject {
  const subject = addressSubject(text);
  if (subject === null) throw new AppError('invalid_email');
  return subject;
}

function readDomain(text: string): Subject {
  const subject = domainSubject(text);
  if (subject === null) throw new AppError('invalid_domain');
  return subject;
}

function ipOf(text: string | undefined): IpAddress | null {
  if (text === undefined) return null;
  const ip = parseIp(text);
  if (ip === null) throw new AppError('invalid_ip');
  return ip;
}
