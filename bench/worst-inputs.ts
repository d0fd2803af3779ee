import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paced } from './pace.ts';

/** Sends a request of the account that is measured. */
export type Call = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>;

/** A management request with the largest input that it accepts. */
export interface Worst {
  /** Describes the input beside method and path. */
  readonly with?: string;
  readonly query?: string;
  readonly body?: object | ((values: Readonly<Record<string, string>>) => object);
  /** Runs before each request, and returns values of its path: what a request removes must exist again. */
  readonly prepare?: (call: Call) => Promise<Readonly<Record<string, string>>>;
}

/** Lookups, decisions, hints and `/status` take turns with nothing; other benchmarks measure them. */
const highPriority: readonly string[] = ['getStatus', 'lookupDomain', 'lookupEmail', 'readHint', 'decide', 'decideV0'];

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** Every management operation of the OpenAPI document. */
export function managementOperations(): Operation[] {
  const file = join(import.meta.dirname, '..', 'openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId = '' }]) => ({
        operationId,
        method: method.toUpperCase(),
        path,
      })),
    )
    .filter(({ operationId }) => operationId !== '' && !highPriority.includes(operationId));
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const longName = (seed: string, index: number): string =>
  `${many(20, (part) => `ä${part.toString(36)}${seed}${index.toString(36)}`).join('.')}.de`;
const longNames = (seed: string): string[] => many(1_000, (index) => longName(seed, index));

const patternRules = many(30, (rule) => ({
  name: `Rule ${rule}`,
  action: 'block',
  match: 'any',
  conditions: many(50, (index) => ({
    field: 'domain.name',
    operator: 'matches',
    value: `^(?:[a-z]+|y${rule * 50 + index})(?:foo|bar)?\\.(?:com|net)$`,
  })),
}));

const valueRule = (rule: number) => ({
  name: `Rule ${rule}`,
  action: 'block',
  conditions: [{ field: 'domain.name', operator: 'in', value: many(1_000, (item) => `bü-${rule}-${item}.de`) }],
});
const valueRules = many(25, valueRule);
/** A rule whose values take nearly as much as a body may. */
const largestRule = {
  name: 'Large',
  action: 'block',
  conditions: many(25, (index) => valueRule(index).conditions[0]),
};

export const loggedDecisions = paced(15_000, 1_000);
/** As many as a list may have, but for those that a request adds. */
const listEntries = paced(99_000, 2_000);
/** Waves with as many decisions as are kept of one. */
export const waves = paced(20, 5);
const removedEntries = paced(20_000, 2_000);

const idIn = (text: string): string => JSON.parse(text).data.id;
const create = async (call: Call, path: string, body: object): Promise<string> => {
  const { status, text } = await call('POST', path, body);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
  return idIn(text);
};
const gateOf = (call: Call, rules: readonly object[] = []): Promise<string> =>
  create(call, '/v1/gates', { name: 'Other', rules });
const listOf = (call: Call, name: string): Promise<string> => create(call, '/v1/lists', { name, kind: 'domain' });
const webhook = { url: 'https://receiver.invalid/', events: ['domain.flagged.disposable'] };
const fillList = async (call: Call, listId: string, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 1_000)
    await call('POST', `/v1/lists/${listId}/entries`, {
      entries: many(1_000, (index) => ({ value: `name-${from + index}.example`, note: 'x'.repeat(500) })),
    });
};

/** Creates what the requests are about; returns the values of their paths. */
export async function prepareObjects(call: Call): Promise<Record<string, string>> {
  const gate_id = await gateOf(call, valueRules);
  const gate = `/v1/gates/${gate_id}`;
  const decide = (index: number) => call('POST', `${gate}/decisions`, { email: `ja.ne+${index}@gmail.com` });
  for (let from = 0; from < loggedDecisions; from += 50) await Promise.all(many(50, (index) => decide(from + index)));
  const labelled = (outcome: string, from: number, to: number) =>
    many(to - from, (index) => ({ email: `p${from + index}@example${outcome === 'bad' ? '.net' : '.org'}`, outcome }));
  const people = [...labelled('bad', 0, 200), ...labelled('good', 200, 400)];
  await Promise.all(people.map(({ email }) => call('POST', `${gate}/decisions`, { email })));
  await call('POST', '/v1/outcomes', { outcomes: people });
  const list_id = await listOf(call, 'bench');
  await fillList(call, list_id, listEntries);
  for (let from = 0; from < 20; from += 1)
    await call('POST', '/blocklist/bulk', { domains: many(1_000, (index) => `listed-${from}-${index}.example`) });
  const { text: rules } = await call('GET', `${gate}/rules`);
  const { text: log } = await call('GET', `${gate}/decisions?limit=1`);
  const webhook_id = await create(call, '/v1/webhooks', webhook);
  return {
    gate_id,
    list_id,
    webhook_id,
    domain: 'listed-0-0.example',
    rule_id: JSON.parse(rules).data[0].id,
    decision_id: JSON.parse(log).data[0].id,
    hook_id: await create(call, '/v1/hooks', { name: 'Bench', gate_id, format: 'generic' }),
    delivery_id: '01aaaaaaaaaaaaaaaaaaaaaaaa',
    revision: '1',
  };
}

/** The largest legal input of every management operation. */
export const worstInputs: Readonly<Record<string, Worst>> = {
  listBlocklist: { query: 'per_page=100&page=100' },
  addToBlocklist: { with: 'an IDN name of 20 labels', body: { domain: longName('a', 1) } },
  addManyToBlocklist: { with: '1,000 IDN names of 20 labels', body: { domains: longNames('b') } },
  getFromBlocklist: {},
  removeFromBlocklist: {
    async prepare(call) {
      await call('POST', '/blocklist', { domain: 'removed.example' });
      return { domain: 'removed.example' };
    },
  },
  listCustomLists: {},
  createCustomList: { with: 'a body of 1 MB', body: { name: 'x', kind: 'domain', description: 'x'.repeat(1_000_000) } },
  readCustomList: {},
  changeCustomList: { body: { description: 'x'.repeat(500) } },
  removeCustomList: {
    with: `${removedEntries.toLocaleString('en')} entries`,
    async prepare(call) {
      const list_id = await listOf(call, 'removed');
      await fillList(call, list_id, removedEntries);
      return { list_id };
    },
  },
  listCustomListEntries: {
    with: `a search without a match in ${listEntries.toLocaleString('en')} entries`,
    query: 'limit=100&q=zzz',
  },
  addToCustomList: {
    with: '1,000 IDN names of 20 labels with notes',
    body: { entries: longNames('l').map((value) => ({ value, note: 'x'.repeat(500) })) },
  },
  removeFromCustomList: { with: '1,000 IDN names of 20 labels', body: { values: longNames('l') } },
  listGates: { query: 'limit=100' },
  createGate: { with: '25,000 IDN values', body: { name: 'New', rules: valueRules } },
  readGate: { with: '25,000 IDN values' },
  changeGate: { with: '25,000 IDN values', body: { rules: valueRules } },
  removeGate: { prepare: async (call) => ({ gate_id: await gateOf(call, valueRules) }) },
  listFields: {},
  listRules: { with: '25,000 IDN values' },
  addRule: {
    with: '25,000 IDN values',
    body: largestRule,
    prepare: async (call) => ({ gate_id: await gateOf(call) }),
  },
  replaceRules: {
    with: '1,500 patterns',
    body: { rules: patternRules },
    prepare: async (call) => ({ gate_id: await gateOf(call) }),
  },
  orderRules: { with: 'a body of 1 MB', body: { rule_ids: many(30_000, (index) => `01aaaaaaaaaaaaaaaaaaaa${index}`) } },
  readRule: {
    async prepare(call) {
      const gate_id = await gateOf(call);
      return { gate_id, rule_id: await create(call, `/v1/gates/${gate_id}/rules`, largestRule) };
    },
  },
  changeRule: {
    with: '25,000 IDN values',
    body: { conditions: largestRule.conditions },
    async prepare(call) {
      const gate_id = await gateOf(call);
      return { gate_id, rule_id: await create(call, `/v1/gates/${gate_id}/rules`, valueRule(0)) };
    },
  },
  removeRule: {
    async prepare(call) {
      const gate_id = await gateOf(call, valueRules);
      return { gate_id, rule_id: await create(call, `/v1/gates/${gate_id}/rules`, { ...valueRule(0), position: 0 }) };
    },
  },
  listRevisions: { query: 'limit=100' },
  readRevision: { with: '25,000 IDN values' },
  restoreRevision: {
    with: '25,000 IDN values',
    async prepare(call) {
      const gate_id = await gateOf(call, valueRules);
      await call('PATCH', `/v1/gates/${gate_id}`, { rules: [] });
      return { gate_id, revision: '1' };
    },
    body: {},
  },
  listDecisions: { with: 'a search without a match', query: 'limit=100&domain=missing.example' },
  readDecision: {},
  findExceptions: {
    with: '1,500 patterns and 200 decisions that they block',
    async prepare(call) {
      const gate_id = await gateOf(call, patternRules);
      const decide = (index: number) =>
        call('POST', `/v1/gates/${gate_id}/decisions`, { email: `jane${index}@gmail.com` });
      const [{ text } = { text: '' }] = await Promise.all(many(200, decide));
      return { gate_id, decision_id: JSON.parse(text).meta.decision_id };
    },
  },
  setOutcome: { body: { outcome: 'bad', reason: 'x'.repeat(200) } },
  removeOutcome: {},
  reportOutcomes: {
    with: '1,000 spellings of one mailbox',
    body: { outcomes: many(1_000, (index) => ({ email: `j.a.n.e+${index}@gmail.com`, outcome: 'bad' })) },
  },
  suggestRules: { body: {} },
  readStats: { query: 'interval=hour' },
  backtest: { with: '1,500 patterns', body: { rules: patternRules } },
  searchDecisions: { with: 'a search without a match', query: 'limit=100&q=missing.example' },
  trace: { with: '1,500 patterns', body: { email: 'jane@example.com', rules: patternRules } },
  listHooks: {},
  createHook: { with: 'a body of 1 MB', body: { name: 'x'.repeat(1_000_000), format: 'generic' } },
  readHook: {},
  changeHook: { body: { message: 'x'.repeat(200) } },
  removeHook: {
    async prepare(call) {
      const gate_id = await gateOf(call);
      return { hook_id: await create(call, '/v1/hooks', { name: 'Removed', gate_id, format: 'generic' }) };
    },
  },
  rotateHookSecret: { body: {} },
  testHook: { with: 'a gate of 25,000 IDN values', body: { email: 'jane@example.com', ip: '192.0.2.1' } },
  listWaves: { with: `${waves} waves of 10,000 decisions`, query: 'limit=100' },
  readWaveSettings: {},
  changeWaveSettings: { body: { min_addresses: 8 } },
  readWave: {},
  judgeWave: { body: { verdict: 'attack' } },
  acceptWaveRule: { body: ({ gate_id }) => ({ gate_id }) },
  reportWaveOutcome: { body: { outcome: 'bad' } },
  removeWaveOutcome: {},
  listWebhooks: {},
  createWebhook: { with: 'a body of 1 MB', body: { ...webhook, description: 'x'.repeat(1_000_000) } },
  readWebhook: {},
  changeWebhook: { body: { description: 'x'.repeat(500) } },
  removeWebhook: { prepare: async (call) => ({ webhook_id: await create(call, '/v1/webhooks', webhook) }) },
  rotateWebhookSecret: {},
  listDeliveries: { query: 'limit=100' },
  retryDelivery: {
    async prepare(call) {
      const webhook_id = await create(call, '/v1/webhooks', webhook);
      return { webhook_id, delivery_id: await create(call, `/v1/webhooks/${webhook_id}/test`, {}) };
    },
  },
  testWebhook: {},
};
