import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, type ErrorCode, errorTable } from '../errors.ts';
import type { Family } from './endpoint.ts';
import { errorAnswer } from './error-shapes.ts';

const requestId = '01JCXEXAMPLE000000000000AA';
const meta = { request_id: requestId };
const answer = (code: ErrorCode, family: Family) => errorAnswer(new AppError(code), family, requestId);
const codes = Object.keys(errorTable) as ErrorCode[];

/** A code, its status, its body, and the rules of test/conformance.md that the case holds. */
type Case = readonly [ErrorCode, number, object, rules?: string];

const cases: Readonly<Record<Family, readonly Case[]>> = {
  lookup: [
    ['key_required', 401, { status: 401, error: 'Unauthorized' }],
    ['unauthorized', 401, { status: 401, error: 'Unauthorized' }],
    ['pro_only', 403, { status: 403, error: 'Forbidden' }],
    ['not_found', 404, { status: 404, error: 'Not found' }],
    ['method_not_allowed', 405, { status: 405, error: 'Method not allowed' }],
    ['invalid_domain', 400, { status: 400, error: 'The domain is invalid.' }, '[S46 S96]'],
    ['invalid_email', 400, { status: 400, error: 'The email address is invalid.' }, '[S97]'],
    ['rate_limit_exceeded', 429, { status: 429, error: 'Too many requests' }, '[S98]'],
    ['quota_exceeded', 429, { status: 429, error: 'Too many requests' }],
    ['server_error', 500, { status: 500, error: 'Server error' }],
    ['service_unavailable', 503, { status: 503, error: 'Service unavailable' }],
  ],
  blocklist: [
    ['key_required', 401, { message: 'API key is required' }],
    ['unauthorized', 401, { message: 'Invalid API key' }],
    ['pro_only', 403, { message: 'This feature requires a Pro account' }, '[S46 S90]'],
    ['not_found', 404, { message: 'Not found' }],
    ['domain_not_listed', 404, { message: 'Domain not found in blocklist' }, '[S100]'],
    ['method_not_allowed', 405, { message: 'Method not allowed' }],
    ['invalid_domain', 422, { message: 'The domain is invalid.' }],
    ['rate_limit_exceeded', 429, { message: 'Too many requests' }],
    ['server_error', 500, { message: 'Server error' }],
    ['service_unavailable', 503, { message: 'Service unavailable' }],
  ],
  gates: [
    ['key_required', 401, { error: 'unauthorized', message: 'API key is required' }],
    ['unauthorized', 401, { error: 'unauthorized', message: 'Invalid API key' }],
    ['pro_only', 403, { error: 'pro_only', message: 'This feature requires a Pro account' }],
    ['not_found', 404, { error: 'not_found', message: 'Not found' }],
    ['gate_not_found', 404, { error: 'gate_not_found', message: 'There is no such gate.' }, '[S46 S105]'],
    ['method_not_allowed', 405, { error: 'method_not_allowed', message: 'Method not allowed' }],
    [
      'payload_too_large',
      413,
      {
        error: 'payload_too_large',
        message: 'The body is too large: at most 1,048,576 bytes (1 MB) are accepted.',
      },
    ],
    ['unsupported_media_type', 415, { error: 'unsupported_media_type', message: 'Send the body as application/json.' }],
    ['validation_failed', 422, { error: 'validation_failed', message: 'Some input fields are invalid.' }, '[S109]'],
    ['invalid_ip', 422, { error: 'invalid_ip', message: 'The IP address is invalid.' }],
    ['rule_limit_reached', 422, { error: 'rule_limit_reached', message: 'A gate holds at most 100 rules.' }],
    ['rate_limit_exceeded', 429, { error: 'rate_limit_exceeded', message: 'Too many requests' }],
    [
      'quota_exceeded',
      429,
      { error: 'quota_exceeded', message: 'Monthly credits are used up. Wait for the reset or enable overage.' },
    ],
    ['server_error', 500, { error: 'server_error', message: 'Server error' }],
    ['service_unavailable', 503, { error: 'service_unavailable', message: 'Service unavailable' }],
  ],
  'gates-v0': [
    ['unauthorized', 401, { error: 'unauthorized', message: 'Invalid API key' }, '[D225]'],
    ['pro_only', 403, { error: 'pro_only', message: 'This feature requires a Pro account' }, '[D225]'],
    ['gate_not_found', 404, { error: 'gate_not_found', message: 'There is no such gate.', meta }, '[S116 D225]'],
    ['invalid_ip', 400, { error: 'invalid_ip', message: 'The IP address is invalid.', meta }, '[D224 D225]'],
    ['missing_input', 400, { error: 'missing_input', message: 'Send either email or domain.', meta }],
    ['rate_limit_exceeded', 429, { error: 'rate_limit_exceeded', message: 'Too many requests' }, '[D225]'],
    [
      'quota_exceeded',
      429,
      { error: 'rate_limit_exceeded', message: 'Monthly credits are used up. Wait for the reset or enable overage.' },
      '[D224]',
    ],
    ['server_error', 500, { error: 'server_error', message: 'Server error', meta }, '[D225]'],
  ],
};

describe('the answer to an error', () => {
  for (const [family, rows] of Object.entries(cases) as [Family, readonly Case[]][]) {
    describe(`in the shape of ${family}`, () => {
      for (const [code, status, body, rules = ''] of rows) {
        it(`in the shape of ${family}, ${code} is answered with ${status} and its documented body ${rules}`, () => {
          const given = answer(code, family);
          assert.equal(given.status, status);
          assert.deepEqual(given.body, body);
        });
      }
    });
  }

  it('the answer to an error gives every family a body that clients of all three can read when the address is blocked', () => {
    for (const family of Object.keys(cases) as Family[]) {
      const { status, body } = answer('ip_blocked', family);
      assert.equal(status, 429);
      assert.deepEqual(body, { status: 429, error: 'rate_limit_exceeded', message: 'Too many requests' });
    }
  });

  it('the answer to an error has v0 answer 400 where v1 answers 422, with the same code [S114]', () => {
    for (const code of codes.filter((code) => errorTable[code].status === 422)) {
      assert.equal(answer(code, 'gates').status, 422);
      assert.equal(answer(code, 'gates-v0').status, 400);
      assert.equal(answer(code, 'gates-v0').body.error, answer(code, 'gates').body.error);
    }
  });

  it('the answer to an error repeats the status in the body of a lookup error, and says nothing but status and error [S95]', () => {
    const shared: readonly ErrorCode[] = [
      'ip_blocked',
      'publishable_key',
      'publishable_key_required',
      'origin_not_allowed',
    ];
    for (const code of codes.filter((code) => !shared.includes(code))) {
      const { status, body } = answer(code, 'lookup');
      assert.deepEqual(Object.keys(body), ['status', 'error']);
      assert.equal(body.status, status);
    }
  });

  it('the answer to an error adds the messages per field where the family has a place for them [S99 S106]', () => {
    const errors = { domain: ['The domain field is required.'] };
    const error = new AppError('validation_failed', { message: 'The domain field is required.', errors });
    assert.deepEqual(errorAnswer(error, 'blocklist', requestId).body, { message: error.message, errors });
    assert.deepEqual(errorAnswer(error, 'gates', requestId).body, {
      error: 'validation_failed',
      message: error.message,
      errors,
    });
    assert.deepEqual(errorAnswer(error, 'lookup', requestId).body, { status: 400, error: 'Bad request' });
  });

  it('the answer to an error tells nothing about an unexpected failure [S112]', () => {
    for (const thrown of [new Error('secret'), 'secret', undefined, null, { code: 'secret' }]) {
      for (const family of Object.keys(cases) as Family[]) {
        const given = errorAnswer(thrown, family, requestId);
        assert.equal(given.status, 500);
        assert.doesNotMatch(JSON.stringify(given.body), /secret/);
      }
    }
  });

  it('the answer to an error names the credentials that are missing only where a key is expected', () => {
    assert.equal(answer('key_required', 'lookup').challenge, 'Bearer realm="signalpost"');
    assert.equal(answer('unauthorized', 'blocklist').challenge, 'Bearer realm="signalpost", error="invalid_token"');
    assert.equal(answer('session_required', 'gates').challenge, undefined);
  });

  it('the answer to an error says when to come back only where the error knows [D222]', () => {
    for (const code of ['service_unavailable', 'quota_exceeded', 'server_error'] as const)
      assert.equal(answer(code, 'lookup').retryAfterSeconds, undefined);
    const error = new AppError('rate_limit_exceeded', { retryAfterSeconds: 7 });
    assert.equal(errorAnswer(error, 'gates', requestId).retryAfterSeconds, 7);
    assert.equal(answer('unauthorized', 'lookup').retryAfterSeconds, undefined);
  });
});

describe('a 422 of the blocklist', () => {
  const rows: readonly { errors: Record<string, string[]>; message: string }[] = [
    { errors: { domain: ['A.'] }, message: 'A.' },
    { errors: { domain: ['A.', 'B.'] }, message: 'A. (and 1 more errors)' },
    { errors: { domain: ['A.'], domains: ['B.', 'C.'] }, message: 'A. (and 2 more errors)' },
  ];
  for (const { errors, message } of rows) {
    it(`a 422 of the blocklist has the first error as its message, with the number of the others: ${message} [S104 D128]`, () => {
      const { status, body } = errorAnswer(new AppError('validation_failed', { errors }), 'blocklist', requestId);
      assert.equal(status, 422);
      assert.deepEqual(body, { message, errors });
    });
  }
});
