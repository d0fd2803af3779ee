import { parseAddress } from '../address/address.ts';
import type { OpenAnswer, OpenRequest } from '../http/open-route.ts';
import { isPlainObject } from '../input/json-value.ts';
import { isJsonDepthWithin } from '../json-depth.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { waitUntil } from '../platform/time/with-deadline.ts';
import { answerOf } from './call-answer.ts';
import type { CallRecorder, RecordedCall } from './call-recorder.ts';
import { formatOf } from './formats/all.ts';
import type { HookFormat, JsonObject, SignUp, Verdict } from './formats/format.ts';
import { acceptedSecrets, type Hook, secretHint } from './hook.ts';
import type { KnownHooks } from './known-hooks.ts';
import { createOncePerEvent } from './once-per-event.ts';
import { publicIpIn } from './public-ip.ts';
import { rejection } from './rejection.ts';
import type { DecideSignUp, SignUpQuestion } from './sign-up-decision.ts';
import { allowUndecided, blockInvalid, reasonOf, undecided, verdictOf } from './verdict.ts';

export const maxBodyBytes = 262_144;
/** Deeper than any auth server's body: clients must not control the depth of recursion. */
const maxJsonDepth = 32;
/** After this time a gate decides with the known facts. */
const knownWithinMs = 1_300;
/** The contract allows 1,500 ms; the rest is for sending the answer. */
const answerWithinMs = 1_450;

export interface HookCallParts {
  readonly hooks: Pick<KnownHooks, 'find'>;
  readonly decide: DecideSignUp;
  readonly recorder: Pick<CallRecorder, 'record'>;
  /** Counts every call, also those that the recorder leaves out. */
  readonly onCall: (hook: Hook, call: RecordedCall) => void;
  /** The service could not decide a call. */
  readonly onUndecided: (hook: Hook, reason: string, error: unknown) => void;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/** A verdict, and why the service could not decide. */
interface Outcome {
  readonly verdict: Verdict;
  readonly problem: string | null;
}

/** Answers the call of an auth server. */
export function createHookCall(parts: HookCallParts): (request: OpenRequest) => OpenAnswer | Promise<OpenAnswer> {
  const { hooks, now } = parts;
  const { record, reject } = createCallRecord(parts);
  const answerVerified = createVerifiedAnswer(parts, { record, reject });
  const receive = (hook: Hook, format: HookFormat, body: Buffer | null, request: OpenRequest) => {
    if (body === null) return reject(hook, 413, `the body has more than ${maxBodyBytes} bytes`);
    const { headers } = request;
    const verified = format.verify({ headers, body }, acceptedSecrets(hook.secrets, now()), now());
    if ('secret' in verified) return answerVerified({ hook, format, request }, body, verified.secret);
    // Only the owner reads which secret was expected: anyone who knows the URL can call it.
    const expected = `expected the secret ending in "${secretHint(hook.secrets.current)}"`;
    record(hook, { result: 'rejected', error: `${verified.problem}; ${expected}` });
    return rejection(401, verified.problem);
  };

  return (request) => {
    const hook = hooks.find(request.params.hook_id ?? '');
    if (hook === undefined) return rejection(404, 'There is no such hook.');
    const format = formatOf(hook.format);
    if (request.headers[format.header] === undefined) {
      return reject(hook, 401, `no ${format.header} header`);
    }
    if (!hook.secrets.isSet) return reject(hook, 401, `no secret yet: set the one that ${format.label} shows`);
    if (hook.secrets.current === null) return reject(hook, 401, 'the secret cannot be decrypted: rotate it');
    return mapMaybePromise(request.body(maxBodyBytes), (body) => receive(hook, format, body, request));
  };
}

/** Records calls, and rejects them. */
function createCallRecord({ recorder, onCall }: HookCallParts) {
  const record = (hook: Hook, call: RecordedCall): void => {
    recorder.record(hook.id, call);
    onCall(hook, call);
  };
  const reject = (hook: Hook, status: 400 | 401 | 413, problem: string): OpenAnswer => {
    // The body is looked at only after the secret.
    record(hook, { result: 'rejected', error: problem, isVerified: status === 400 });
    return rejection(status, problem);
  };
  return { record, reject };
}

/** A call whose signature is right. */
interface VerifiedCall {
  readonly hook: Hook;
  readonly format: HookFormat;
  readonly request: OpenRequest;
}

/** Answers verified calls: decides about the sign-up in the body. */
function createVerifiedAnswer(parts: HookCallParts, { record, reject }: ReturnType<typeof createCallRecord>) {
  const { now, monotonicMs } = parts;
  const once = createOncePerEvent<Outcome>(monotonicMs, ({ problem }) => problem === null);

  const answerSignUp = async (
    { hook, request }: VerifiedCall,
    signUp: SignUp & { email: string },
  ): Promise<Verdict> => {
    const { email } = signUp;
    const eventId = typeof signUp.eventId === 'string' && signUp.eventId !== '' ? signUp.eventId : null;
    const question = { email, ip: publicIpIn(signUp.ip) };
    const { verdict, problem } = await once({ hook, eventId, email }, () =>
      decideInTime(parts, hook, question, request),
    );
    if (problem !== null) record(hook, { result: 'unavailable', error: problem });
    else record(hook, { result: verdict.allow ? 'allow' : 'block', error: null });
    return verdict;
  };

  return (call: VerifiedCall, body: Buffer, secret: string): OpenAnswer | Promise<OpenAnswer> => {
    const { hook, format, request } = call;
    const respond = (verdict: Verdict): OpenAnswer => answerOf(format.answer(verdict, { secret, nowMs: now() }));
    if (!hook.enabled) {
      record(hook, { result: 'disabled' });
      return respond(allowUndecided());
    }
    const json = jsonIn(body);
    const signUp = json === null ? null : format.read(json, request.headers);
    if (signUp === null) {
      return reject(hook, 400, withAdvice(`the body is not the JSON that ${format.label} sends`, format.bodyAdvice));
    }
    const email = signUp.email ?? '';
    if (typeof email !== 'string') return reject(hook, 400, 'the email address is not a string');
    if (email === '') {
      record(hook, { result: 'no_email' });
      return respond(allowUndecided());
    }
    if (parseAddress(email) === null) {
      record(hook, { result: 'block' });
      return respond(blockInvalid(hook));
    }
    return answerSignUp(call, { ...signUp, email }).then(respond);
  };
}

/** Decides a sign-up; the verdict of a call that cannot be decided in time is the one that the hook sets for that. */
async function decideInTime(
  { decide, onUndecided, monotonicMs }: HookCallParts,
  hook: Hook,
  question: SignUpQuestion,
  { requestId, stages }: OpenRequest,
): Promise<Outcome> {
  let isLate = false;
  const fail = (error: unknown, reason = reasonOf(error)): Outcome => {
    onUndecided(hook, reason, error);
    return { verdict: undecided(hook), problem: reason };
  };
  const attempt = async (): Promise<Outcome> => {
    try {
      const limits = { requestId, stages, withinMs: knownWithinMs, isLate: () => isLate };
      return { verdict: verdictOf(await decide(hook, question, limits), hook), problem: null };
    } catch (error) {
      // The call was answered, and the reason reported, when the time was up.
      return isLate ? { verdict: undecided(hook), problem: reasonOf(error) } : fail(error);
    }
  };
  const deadline = { atMs: monotonicMs() + answerWithinMs };
  return waitUntil(attempt(), deadline, monotonicMs, () => {
    isLate = true;
    return fail(null, 'no decision within 1.5 seconds');
  });
}

const withAdvice = (problem: string, advice: string | undefined): string =>
  advice === undefined ? problem : `${problem}. ${advice}`;

/** A body as a JSON object; null when it is anything else. The content type is not looked at. */
function jsonIn(body: Buffer): JsonObject | null {
  if (!isJsonDepthWithin(body, maxJsonDepth)) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    return isPlainObject(value) ? value : null;
  } catch {
    // Not JSON: the caller rejects it.
    return null;
  }
}
