import { type IpAddress, parseIp } from '../../address/ip.ts';
import { AppError } from '../../errors.ts';
import type { Body } from '../../http/endpoint.ts';
import { addressSubject, domainSubject, type Subject } from '../../signals/subject.ts';
import { requestObject } from '../request-object.ts';
import { createProblems } from '../rules/problems.ts';
import type { DecisionRequest } from './decision.ts';

/** No more names than this can mean anything. */
const maxWaitNames = 50;

const nothing: ReadonlySet<string> = new Set();

/** Reads the body of a question to a gate. Null counts as absent; fields that are not known are ignored. */
export function readDecisionRequest(body: Body): DecisionRequest {
  const given = requestObject(body);
  const email = given.email ?? undefined;
  const domain = given.domain ?? undefined;
  const ip = given.ip ?? undefined;
  const wait = given.wait ?? undefined;
  if (!isText(email) || !isText(domain) || !isText(ip) || !isWait(wait)) throw wrongTypes({ email, domain, ip }, wait);
  if (email !== undefined && domain !== undefined) throw new AppError('both_email_and_domain_provided');
  const waitFor = wait === undefined ? nothing : new Set(wait);
  if (email !== undefined) {
    const subject = readAddress(email);
    const address = ipOf(ip);
    return { input: ip === undefined ? { email } : { email, ip }, subject, ip: address, wait: waitFor };
  }
  if (domain === undefined) throw new AppError('missing_input');
  const subject = readDomain(domain);
  const address = ipOf(ip);
  return { input: ip === undefined ? { domain } : { domain, ip }, subject, ip: address, wait: waitFor };
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isWait(value: unknown): value is readonly string[] | undefined {
  if (value === undefined) return true;
  return Array.isArray(value) && value.length <= maxWaitNames && value.every((name) => typeof name === 'string');
}

function wrongTypes(texts: Readonly<Record<string, unknown>>, wait: unknown): AppError {
  const problems = createProblems();
  for (const [name, value] of Object.entries(texts)) {
    if (!isText(value)) problems.add(name, `The ${name} field must be a string.`);
  }
  if (!isWait(wait)) problems.add('wait', 'The wait field must be a list of field names.');
  return new AppError('validation_failed', { errors: problems.toFieldErrors() });
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
