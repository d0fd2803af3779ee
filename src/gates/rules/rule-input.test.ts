import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readInput } from '../../../test/read-input.ts';
import { fields } from './fields.ts';
import { newRuleInput, ruleChangeInput } from './rule-input.ts';

const validateNewRule = (body: unknown, path = '') => readInput(newRuleInput, body, path);
const validateRuleChange = (body: unknown) => readInput(ruleChangeInput, body);

const condition = { field: 'domain.mx', operator: 'equals', value: false };
const rule = { name: 'No MX', action: 'block', conditions: [condition] };

function errorsOf(body: unknown) {
  const validated = validateNewRule(body);
  assert.ok(!validated.ok, JSON.stringify(body));
  return validated.errors;
}

const pathsOf = (body: unknown) => Object.keys(errorsOf(body));
const withCondition = (...conditions: unknown[]) => ({ ...rule, conditions });

describe('a new rule', () => {
  it('a new rule takes a regular expression of 512 characters without counted repetition on every field of text [D299]', () => {
    const names = '(google|outlook|yahoo|zoho|icloud|proton|fastmail|mimecast|mailgun|sendgrid|yandex|gmx)\\.com$';
    const texts = fields.filter(({ type }) => type === 'string' || type === 'string[]');
    assert.ok(texts.length > 20);
    for (const { path } of texts) {
      for (const value of [names, 'ab|'.repeat(170), '\\pL'.repeat(170)]) {
        const validated = validateNewRule(withCondition({ field: path, operator: 'matches', value }));
        assert.ok(validated.ok, `${path}: ${JSON.stringify(validated)}`);
      }
    }
  });

  it('a new rule gets the defaults', () => {
    assert.deepEqual(validateNewRule(rule), {
      ok: true,
      value: {
        draft: {
          name: 'No MX',
          description: null,
          message: null,
          match: 'all',
          action: 'block',
          stop: false,
          enabled: true,
          mode: 'live',
          conditions: [condition],
        },
        position: null,
      },
    });
  });

  it('a new rule keeps everything it is given', () => {
    const full = {
      name: 'n',
      description: 'd',
      message: 'm',
      match: 'any',
      action: 'challenge',
      stop: true,
      enabled: false,
      mode: 'shadow',
      conditions: [condition, { field: 'email.address', operator: 'is_known' }],
    };
    assert.deepEqual(validateNewRule({ ...full, position: 3 }), { ok: true, value: { draft: full, position: 3 } });
  });

  it('a new rule reports every problem together', () => {
    const body = {
      action: 'deny',
      stop: 'yes',
      stpo: true,
      position: -1,
      conditions: [
        { field: 'domain.mx', operator: 'contains', value: 'x' },
        { field: 'nope', operator: 'equals', value: 1 },
      ],
    };
    assert.deepEqual(pathsOf(body).sort(), [
      'action',
      'conditions.0.operator',
      'conditions.1.field',
      'name',
      'position',
      'stop',
      'stpo',
    ]);
  });

  it('a new rule must be an object', () => {
    for (const body of [null, undefined, 1, 'x', true, [], [rule]]) assert.deepEqual(pathsOf(body), ['body']);
  });

  it('a new rule needs name, action and conditions', () => {
    assert.deepEqual(errorsOf({}), {
      name: ['The name field is required.'],
      action: ['The action field is required.'],
      conditions: ['The conditions field is required.'],
    });
  });

  it('a new rule puts a prefix before every path', () => {
    const validated = validateNewRule({ ...rule, name: 1, conditions: [{}] }, 'rules.4');
    assert.ok(!validated.ok);
    assert.deepEqual(Object.keys(validated.errors), [
      'rules.4.name',
      'rules.4.conditions.0.field',
      'rules.4.conditions.0.operator',
    ]);
    const notObject = validateNewRule(7, 'rules.4');
    assert.ok(!notObject.ok);
    assert.deepEqual(Object.keys(notObject.errors), ['rules.4']);
  });

  it('a new rule reports a field called __proto__ like any other', () => {
    const errors = errorsOf(JSON.parse('{"name":"n","action":"block","conditions":[],"__proto__":{"stop":true}}'));
    assert.ok(Object.hasOwn(errors, '__proto__'));
  });
});

describe('the limits of a rule', () => {
  const accepted: readonly (readonly [string, object])[] = [
    ['a name of 120 characters', { name: 'é'.repeat(120) }],
    ['a name of 120 characters outside the BMP', { name: '💡'.repeat(120) }],
    ['texts of 500 characters', { message: 'x'.repeat(500), description: 'x'.repeat(500) }],
    ['empty texts', { message: '', description: '' }],
    ['null texts', { message: null, description: null }],
    ['50 conditions', { conditions: Array(50).fill(condition) }],
    ['position 0', { position: 0 }],
    [
      'regular expressions of 4,600 instructions',
      { conditions: Array(5).fill({ field: 'domain.name', operator: 'matches', value: 'a{900}' }) },
    ],
  ];
  for (const [name, change] of accepted) {
    it(`the limits of a rule accept ${name}`, () => assert.ok(validateNewRule({ ...rule, ...change }).ok));
  }

  const refused: readonly (readonly [string, object, string])[] = [
    ['an empty name', { name: '' }, 'name'],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, 'name'],
    ['a null name', { name: null }, 'name'],
    ['a name with NUL', { name: 'a\u0000' }, 'name'],
    ['a name with half a character', { name: '\ud800' }, 'name'],
    ['a message of 501 characters', { message: 'x'.repeat(501) }, 'message'],
    ['a description that is a number', { description: 1 }, 'description'],
    ['no conditions', { conditions: [] }, 'conditions'],
    ['51 conditions', { conditions: Array(51).fill(condition) }, 'conditions'],
    ['conditions that are an object', { conditions: {} }, 'conditions'],
    ['match in capitals', { match: 'ALL' }, 'match'],
    ['match null', { match: null }, 'match'],
    ['an unknown mode', { mode: 'dark' }, 'mode'],
    ['stop as a number', { stop: 1 }, 'stop'],
    ['enabled null', { enabled: null }, 'enabled'],
    ['a position that is a string', { position: '1' }, 'position'],
    ['a position that is null', { position: null }, 'position'],
    ['a position that is not whole', { position: 1.5 }, 'position'],
    ['a name of blanks', { name: ' \u2009\u200b' }, 'name'],
  ];
  for (const [name, change, path] of refused) {
    it(`the limits of a rule refuse ${name} [D209]`, () => assert.deepEqual(pathsOf({ ...rule, ...change }), [path]));
  }
});

describe('a condition', () => {
  const accepted: readonly (readonly [string, string, unknown])[] = [
    ['domain.age_days', 'between', [0, 0]],
    ['domain.age_days', 'equals', -5],
    ['domain.age_days', 'in', [Number.MAX_SAFE_INTEGER]],
    ['domain.name', 'in', Array(1000).fill('a')],
    ['domain.name', 'equals', ''],
    ['domain.name', 'equals', 'x'.repeat(1000)],
    ['domain.name', 'matches', 'a'.repeat(512)],
    ['domain.mx_records.*.hostname', 'not_matches', '^mx'],
  ];
  for (const [field, operator, value] of accepted) {
    it(`a condition accepts ${field} ${operator} ${JSON.stringify(value).slice(0, 40)}`, () => {
      const validated = validateNewRule(withCondition({ field, operator, value }));
      assert.ok(validated.ok, JSON.stringify(validated));
      assert.deepEqual(validated.value.draft.conditions, [{ field, operator, value }]);
    });
  }

  const refused: readonly (readonly [string, string, unknown, string])[] = [
    ['domain.mx', 'equals', 'false', 'value'],
    ['domain.mx', 'equals', 0, 'value'],
    ['domain.mx', 'equals', null, 'value'],
    ['domain.mx', 'not_equals', true, 'operator'],
    ['domain.mx', 'in', [true], 'operator'],
    ['domain.mx', 'is_known', true, 'value'],
    ['domain.mx', 'is_unknown', null, 'value'],
    ['domain.age_days', 'equals', '14', 'value'],
    ['domain.age_days', 'equals', 1.5, 'value'],
    ['domain.age_days', 'equals', 2 ** 53, 'value'],
    ['domain.age_days', 'in', [], 'value'],
    ['domain.age_days', 'in', [1, 'two', 3], 'value.1'],
    ['domain.age_days', 'between', [30, 7], 'value'],
    ['domain.age_days', 'between', [7], 'value'],
    ['domain.age_days', 'between', [7, 8, 9], 'value'],
    ['domain.age_days', 'between', [7, '8'], 'value.1'],
    ['domain.age_days', 'contains', '1', 'operator'],
    ['domain.name', 'equals', 5, 'value'],
    ['domain.name', 'equals', ['a'], 'value'],
    ['domain.name', 'equals', 'x'.repeat(1001), 'value'],
    ['domain.name', 'equals', 'a\u0000b', 'value'],
    ['domain.name', 'in', 'a', 'value'],
    ['domain.name', 'in', Array(1001).fill('a'), 'value'],
    ['domain.name', 'in', ['a', 5], 'value.1'],
    ['domain.name', 'contains', '', 'value'],
    ['domain.name', 'starts_with', '', 'value'],
    ['domain.name', 'matches', '', 'value'],
    ['domain.name', 'matches', '(', 'value'],
    ['domain.name', 'matches', 'a'.repeat(513), 'value'],
    ['domain.name', 'matches', '(?:a{100}){100}', 'value'],
    ['domain.name', 'greater_than', 5, 'operator'],
    ['domain.name', 'Equals', 'a', 'operator'],
    ['domain.name', 'constructor', 'a', 'operator'],
    ['domain.mx_records.*.priority', 'equals', 10, 'field'],
    ['domain.mx_records.*.hostname', 'between', [1, 2], 'operator'],
    ['__proto__', 'equals', 'a', 'field'],
  ];
  for (const [field, operator, value, path] of refused) {
    it(`a condition refuses ${field} ${operator} ${String(JSON.stringify(value)).slice(0, 40)}`, () => {
      assert.deepEqual(pathsOf(withCondition(condition, { field, operator, value })), [`conditions.1.${path}`]);
    });
  }

  it('a condition needs field, operator and value', () => {
    assert.deepEqual(pathsOf(withCondition({})), ['conditions.0.field', 'conditions.0.operator']);
    assert.deepEqual(pathsOf(withCondition({ field: 'domain.mx', operator: 'equals' })), ['conditions.0.value']);
  });

  it('a condition refuses any other key', () => {
    assert.deepEqual(pathsOf(withCondition({ ...condition, not: true })), ['conditions.0.not']);
  });

  it('a condition must be an object', () => {
    assert.deepEqual(pathsOf(withCondition(null, 'x', [])), ['conditions.0', 'conditions.1', 'conditions.2']);
  });

  it('a condition says which operators the field takes', () => {
    assert.deepEqual(errorsOf(withCondition({ ...condition, operator: 'contains' })), {
      'conditions.0.operator': ['A boolean field takes one of: equals, is_known, is_unknown.'],
    });
  });
});

describe('a change of a rule', () => {
  it('a change of a rule may consist of any of its fields', () => {
    assert.deepEqual(validateRuleChange({}), { ok: true, value: { changes: {}, position: null } });
    assert.deepEqual(validateRuleChange({ stop: true, message: null, position: 2 }), {
      ok: true,
      value: { changes: { stop: true, message: null }, position: 2 },
    });
  });

  it('a change of a rule is as strict as a new rule', () => {
    const validated = validateRuleChange({ name: null, conditions: [], stpo: true });
    assert.ok(!validated.ok);
    assert.deepEqual(Object.keys(validated.errors), ['name', 'conditions', 'stpo']);
  });

  it('a change of a rule must be an object', () => {
    const validated = validateRuleChange('x');
    assert.ok(!validated.ok);
    assert.deepEqual(Object.keys(validated.errors), ['body']);
  });
});

describe('whatever JSON comes', () => {
  const anyJson = fc.jsonValue({ maxDepth: 4 });
  const almostCondition = fc.record(
    {
      field: fc.oneof(
        fc.constantFrom('domain.mx', 'domain.age_days', 'domain.name', 'domain.mx_records.*.hostname'),
        anyJson,
      ),
      operator: fc.oneof(fc.constantFrom('equals', 'in', 'between', 'matches', 'is_known', 'contains'), anyJson),
      value: anyJson,
    },
    { requiredKeys: [] },
  );
  const almostRule = fc.record(
    {
      name: fc.oneof(fc.string(), anyJson),
      action: fc.oneof(fc.constantFrom('block', 'allow'), anyJson),
      match: fc.oneof(fc.constantFrom('all', 'any'), anyJson),
      stop: fc.oneof(fc.boolean(), anyJson),
      position: fc.oneof(fc.nat(), anyJson),
      conditions: fc.oneof(fc.array(fc.oneof(almostCondition, anyJson), { maxLength: 4 }), anyJson),
    },
    { requiredKeys: [] },
  );

  it('whatever JSON comes, validation gives a rule that is valid again, or at least one problem with a sentence', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, almostRule), (body) => {
        const validated = validateNewRule(body);
        if (validated.ok) {
          assert.deepEqual(validateNewRule(validated.value.draft), {
            ok: true,
            value: { draft: validated.value.draft, position: null },
          });
        } else {
          const messages = Object.values(validated.errors).flat();
          assert.ok(messages.length > 0 && messages.every((message) => message.endsWith('.')));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('whatever JSON comes, validation of a change gives the change, or at least one problem', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, almostRule), (body) => {
        const validated = validateRuleChange(body);
        if (!validated.ok) assert.ok(Object.keys(validated.errors).length > 0);
      }),
      { numRuns: 2000 },
    );
  });
});
