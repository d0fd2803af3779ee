import type { IncomingHttpHeaders } from 'node:http';

/** A call as it arrived; signatures cover the raw bytes. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The secret that a call was signed with, or the problem with the call. */
export type Verification = { readonly secret: string } | { readonly problem: string };

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A sign-up as an auth server describes it; values are not validated yet. */
export interface SignUp {
  /** Null or undefined where there is none: phone numbers, machine users, events that are no sign-up. */
  readonly email: unknown;
  readonly ip: unknown;
  /** The same over the server's retries; null where the server sends none. */
  readonly eventId: unknown;
}

/** A hook's answer to a call. */
export interface Verdict {
  readonly allow: boolean;
  /** The gate's action; null without a decision. */
  readonly action: 'allow' | 'block' | 'challenge' | null;
  readonly decisionId: string | null;
  /** For the visitor; null when they are allowed. */
  readonly message: string | null;
}

/** An HTTP response; without `body` it is empty and has no content type. */
export interface FormatAnswer {
  readonly status: number;
  readonly body?: JsonObject;
}

/** The values that an answer may be signed with. */
export interface Signing {
  readonly secret: string;
  readonly nowMs: number;
}

/** A request as the auth server would send it; secrets and signatures are `…`. */
export interface SampleRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** One step of the set-up at the auth server. */
export interface ConfigurationStep {
  readonly title: string;
  /** To copy as it is; null where there is nothing to paste. */
  readonly code: string | null;
}

/** The differences between auth servers. */
export interface HookFormat {
  /** The server's name for people. */
  readonly label: string;
  /** A request without this header is rejected before its body is read. */
  readonly header: string;
  /** Added to the rejection of a body that is not the server's JSON, where there is a usual cause. */
  readonly bodyAdvice?: string;
  /** The auth server generates the secret, after it was given the URL. */
  readonly secretFromServer?: true;
  /** The form of a secret; null where any 24 to 200 characters are one. */
  readonly secretForm?: { readonly pattern: RegExp; readonly description: string };
  /** A new secret in the form that the server expects. */
  createSecret(): string;
  verify(call: ReceivedCall, secrets: readonly string[], nowMs: number): Verification;
  /** Null for JSON that is not this server's. */
  read(body: JsonObject, headers: IncomingHttpHeaders): SignUp | null;
  answer(verdict: Verdict, signing: Signing): FormatAnswer;
  sample(email: string, ip: string | null): SampleRequest;
  configuration(url: string, secret: string): readonly ConfigurationStep[];
}
