import { parseAddress } from '../address/address.ts';
import { AppError } from '../errors.ts';
import type { Call } from '../http/endpoint.ts';
import { answerOf } from './call-answer.ts';
import { formatOf } from './formats/all.ts';
import type { Verdict } from './formats/format.ts';
import type { Hook } from './hook.ts';
import type { HookTest } from './hook-body.ts';
import { publicIpIn } from './public-ip.ts';
import type { SignUpQuestion, TraceSignUp } from './sign-up-decision.ts';
import { blockInvalid, undecided, verdictOf } from './verdict.ts';

/** A sign-up to test with; the IP address as the auth server would send it. */
export interface TestedSignUp {
  readonly email: string;
  readonly ip: string | null;
}

/** The request to the gate; null when the address is invalid. */
export function questionOf({ email, ip }: TestedSignUp): SignUpQuestion | null {
  return parseAddress(email) === null ? null : { email, ip: publicIpIn(ip) };
}

type TraceQuestion = (question: SignUpQuestion) => ReturnType<TraceSignUp>;

/** The exchange that an auth server would have with a hook. */
export async function testHook(
  hook: Hook,
  sent: TestedSignUp,
  { url, trace }: { readonly url: string; readonly trace: TraceQuestion },
  nowMs: number,
): Promise<HookTest> {
  const format = formatOf(hook.format);
  const question = questionOf(sent);
  const verdict = question === null ? blockInvalid(hook) : await verdictFor(hook, question, trace);
  const { status, type, text } = answerOf(format.answer(verdict, { secret: hook.secrets.current ?? '', nowMs }));
  return {
    url,
    request: format.sample(sent.email, sent.ip),
    response: { status, headers: type === null ? {} : { 'content-type': type }, body: text },
  };
}

/** A deleted gate is answered as a call would be; a refused test is an error of the request. */
async function verdictFor(hook: Hook, question: SignUpQuestion, trace: TraceQuestion): Promise<Verdict> {
  try {
    return verdictOf(await trace(question), hook);
  } catch (error) {
    if (error instanceof AppError && error.code === 'gate_not_found') return undecided(hook);
    throw error;
  }
}

/** The test of one hook, for a request. */
export type RunTest = (hook: Hook, sent: TestedSignUp, call: Call) => Promise<HookTest>;
