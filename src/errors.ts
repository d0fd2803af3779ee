/** Each HTTP status in words: the text that lookups send, and the reason phrase of a refused connection. */
export const statusTexts = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported media type',
  417: 'Expectation failed',
  421: 'Misdirected request',
  422: 'Bad request',
  429: 'Too many requests',
  431: 'Request header fields too large',
  500: 'Server error',
  503: 'Service unavailable',
} as const;

/** The text for a blocklist that holds as many domains as the plan allows. */
export const blocklistFull = (maxEntries: number): string =>
  `The blocklist is full: this plan allows at most ${maxEntries} domains.`;

/** The one table of error codes: the HTTP status, and the text that the blocklist and Gates send. */
export const errorTable = {
  unauthorized: { status: 401, message: 'Invalid API key' },
  key_required: { status: 401, message: 'API key is required' },
  session_required: { status: 401, message: 'Sign in to continue.' },
  sign_in_failed: { status: 401, message: 'The address or the password is wrong.' },
  link_invalid: { status: 401, message: 'This link has been used, was replaced by a newer one, or has expired.' },
  sign_in_throttled: { status: 429, message: 'Too many attempts. Try again later.' },
  cross_site: { status: 403, message: 'This request was not made by the console.' },
  operator_only: { status: 403, message: 'Only operators may do this.' },
  write_mode_required: { status: 403, message: 'This tool changes data: send the header Gates-Mode: write.' },
  pro_only: { status: 403, message: 'This feature requires a Pro account' },
  publishable_key: {
    status: 403,
    message: 'A publishable key works with POST /v1/hints only. Use a secret key, on a server.',
  },
  publishable_key_required: {
    status: 403,
    message: 'Use a publishable key (sp_pub_…). Web pages must not contain a secret key.',
  },
  origin_not_allowed: { status: 403, message: "This key's origins do not include the origin of this page." },
  unknown_host: {
    status: 421,
    message:
      'This host name is not known as one of this service. Set PUBLIC_URL to the address that users open, or add the name to ALLOWED_HOSTS, and restart.',
  },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  ip_blocked: { status: 429, message: 'Too many requests' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests' },
  account_busy: {
    status: 429,
    message: 'The requests of this account take too much processing time. Retry after the time in Retry-After.',
  },
  anonymous_limit_reached: { status: 429, message: 'Too many requests' },
  hint_limit_reached: { status: 429, message: 'Too many requests' },
  quota_exceeded: {
    status: 429,
    message: 'Monthly credits are used up. Wait for the reset or enable overage.',
  },
  invalid_domain: { status: 422, message: 'The domain is invalid.' },
  invalid_email: { status: 422, message: 'The email address is invalid.' },
  invalid_ip: { status: 422, message: 'The IP address is invalid.' },
  missing_input: { status: 422, message: 'Send either email or domain.' },
  both_email_and_domain_provided: {
    status: 422,
    message: 'Send email or domain, not both.',
  },
  validation_failed: { status: 422, message: 'Some input fields are invalid.' },
  already_blocklisted: {
    status: 422,
    message: 'The domain has already been blocklisted for this environment.',
  },
  blocklist_full: { status: 422, message: blocklistFull(1_000_000) },
  domain_not_listed: { status: 404, message: 'Domain not found in blocklist' },
  gate_not_found: { status: 404, message: 'There is no such gate.' },
  rule_not_found: { status: 404, message: 'There is no such rule in this gate.' },
  decision_not_found: { status: 404, message: 'There is no such decision in this gate.' },
  too_few_outcomes: {
    status: 422,
    message: 'Suggestions need at least 20 good and 20 bad outcomes of decisions in this span.',
  },
  revision_not_found: { status: 404, message: 'This revision of the gate does not exist or is no longer kept.' },
  gate_changed: { status: 409, message: 'The gate has changed since it was read.' },
  gate_limit_reached: { status: 422, message: 'An environment holds at most 100 gates.' },
  rule_limit_reached: { status: 422, message: 'A gate holds at most 100 rules.' },
  list_not_found: { status: 404, message: 'There is no such list.' },
  list_in_use: { status: 409, message: 'Rules use this list. Change or remove them first.' },
  list_name_taken: { status: 422, message: 'Another list of this environment has this name.' },
  list_limit_reached: { status: 422, message: 'An environment holds at most 50 lists.' },
  list_full: { status: 422, message: 'A list holds at most 100,000 entries. Nothing was changed.' },
  webhook_not_found: { status: 404, message: 'There is no such webhook.' },
  delivery_not_found: { status: 404, message: 'There is no such delivery of this webhook.' },
  webhook_limit_reached: { status: 422, message: 'An environment holds at most 20 webhooks.' },
  webhook_disabled: { status: 409, message: 'The webhook is disabled. Enable it first.' },
  hook_not_found: { status: 404, message: 'There is no such hook.' },
  hook_limit_reached: { status: 422, message: 'An environment holds at most 20 hooks.' },
  wave_not_found: { status: 404, message: 'There is no such wave.' },
  bad_request: { status: 400, message: 'Bad request' },
  payload_too_large: {
    status: 413,
    message: 'The body is too large: at most 1,048,576 bytes (1 MB) are accepted.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
  },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  server_error: { status: 500, message: 'Server error' },
  service_unavailable: { status: 503, message: 'Service unavailable' },
} as const satisfies Record<string, { status: keyof typeof statusTexts; message: string }>;

/** The stable, machine-readable name of an error. */
export type ErrorCode = keyof typeof errorTable;

/** The error text of `/domain`, `/email` and `/status`: by status, or from the table where the looked-up value is invalid. */
export function lookupText(code: ErrorCode): string {
  const { status, message } = errorTable[code];
  return code === 'invalid_domain' || code === 'invalid_email' ? message : statusTexts[status];
}

/** Messages per input field, in the order they were found. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A rule that an error names. */
export interface ErrorRule {
  readonly gate_id: string;
  readonly id: string;
  readonly name: string;
}

/** Optional properties of an `AppError` besides its code. */
export interface AppErrorDetails {
  /** Replaces the table's text. */
  readonly message?: string;
  readonly errors?: FieldErrors;
  /** The rules that prevent the change, as the response names them. */
  readonly rules?: readonly ErrorRule[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A failure with a documented response. Anything else that is thrown becomes a `server_error`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldErrors | undefined;
  readonly rules: readonly ErrorRule[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors;
    this.rules = details.rules;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
