import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { readInput } from '../../../test/read-input.ts';
import { AppError } from '../../errors.ts';
import { accept } from '../../input/accept.ts';
import { gateChangeInput, newGateInput } from '../gate-input.ts';
import { backtestInput } from '../reports/backtest-input.ts';
import { orderInput } from '../rules/rule-input.ts';
import { decisionRequestInput } from './decision-request.ts';

const keys = ['email', 'domain', 'ip', 'wait', 'name', 'description', 'default_action', 'preset', 'rules', 'rule_ids'];
const body = fc.dictionary(fc.oneof(fc.constantFrom(...keys, '__proto__'), fc.string()), fc.jsonValue());

it('a decision with any body at all either works or fails with a documented error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), body), (value) => {
      try {
        const { input, subject } = accept(decisionRequestInput, value);
        assert.equal((input.email === undefined) !== (input.domain === undefined), true);
        assert.equal(subject.address === null, input.email === undefined);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

it('a management request with any body at all either works or names its problems', () => {
  fc.assert(
    fc.property(body, (value) => {
      for (const input of [newGateInput, gateChangeInput, orderInput]) {
        const result = readInput<unknown>(input, value);
        assert.ok(result.ok || Object.keys(result.errors).length > 0);
      }
      try {
        accept(backtestInput, value);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
