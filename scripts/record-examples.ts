import { setTimeout } from 'node:timers/promises';
import type { CallExample } from '../src/http/openapi.ts';
import { idEndWord } from '../src/traffic/observation-block.ts';
import { timeOfId, ulid } from '../src/ulid.ts';
import { encodeMembers } from '../src/waves/wave-members.ts';
import { eventually } from '../test/eventually.ts';
import type { InjectedRequest } from '../test/inject.ts';
import type { StartedApp } from '../test/start-app.ts';

type Sent = Omit<CallExample, 'answer'>;

/** Calls the operations, each after those that create its objects, and returns the requests and responses. */
export async function recordExamples(started: StartedApp, key: string): Promise<Record<string, CallExample>> {
  const examples: Record<string, CallExample> = {};
  const call = async (operationId: string, method: InjectedRequest['method'], path: string, sent: Sent = {}) => {
    const answer = await request(started, key, method, path, sent);
    if (operationId !== unshown) examples[operationId] = { ...sent, ...(answer === undefined ? {} : { answer }) };
    return answer;
  };
  await call('getStatus', 'GET', '/status');
  await call('lookupDomain', 'GET', '/domain/{domain}', {
    params: { domain: 'mailinator.com' },
    query: { wait: 'domain_age_in_days' },
  });
  await call('lookupEmail', 'GET', '/email/{email}', { params: { email: 'jane+news@gmial.com' } });
  examples.readHint = await hintCall(started);
  await blocklistCalls(call);
  await gateCalls(call);
  await listCalls(call);
  await webhookCalls(call);
  await hookCalls(call);
  await waveCalls(started, call);
  return examples;
}

/** Pages have a key of their own, and send their origin. */
async function hintCall({ first, operator, request }: StartedApp): Promise<CallExample> {
  const origin = 'https://app.example.com';
  const owner = { accountId: first.id, environment: 'production', name: null } as const;
  const { key } = await operator.keys.create({ ...owner, publishable: { origins: [origin], showsDisposable: false } });
  const body = { email: 'jane@gmial.com' };
  const { json } = await request('POST', '/v1/hints', { key, headers: { origin }, body });
  return { body, answer: json };
}

/** A call that is no example. */
const unshown = '';

type CallOperation = (
  operationId: string,
  method: InjectedRequest['method'],
  path: string,
  sent?: Sent,
) => Promise<unknown>;

async function blocklistCalls(call: CallOperation): Promise<void> {
  await call('addToBlocklist', 'POST', '/blocklist', { body: { domain: 'bücher.example' } });
  await call('addManyToBlocklist', 'POST', '/blocklist/bulk', {
    body: { domains: ['spam.example', 'bücher.example', 'not a domain'] },
  });
  await call('listBlocklist', 'GET', '/blocklist');
  await call('getFromBlocklist', 'GET', '/blocklist/{domain}', { params: { domain: 'spam.example' } });
  await call('removeFromBlocklist', 'DELETE', '/blocklist/{domain}', { params: { domain: 'spam.example' } });
}

async function gateCalls(call: CallOperation): Promise<void> {
  const made = (await call('createGate', 'POST', '/v1/gates', {
    body: { name: 'Sign-up', preset: 'none', default_action: 'allow' },
  })) as { data: { id: string } };
  const gate = { gate_id: made.data.id };
  const conditions = [{ field: 'domain.disposable', operator: 'equals', value: true }];
  const rule = {
    name: 'Disposable email',
    action: 'block',
    stop: true,
    message: 'Please use a lasting address.',
    conditions,
  };
  const added = (await call('addRule', 'POST', '/v1/gates/{gate_id}/rules', {
    params: gate,
    body: rule,
  })) as typeof made;
  const ruleParams = { ...gate, rule_id: added.data.id };
  await call('listGates', 'GET', '/v1/gates');
  await call('readGate', 'GET', '/v1/gates/{gate_id}', { params: gate });
  await call('changeGate', 'PATCH', '/v1/gates/{gate_id}', {
    params: gate,
    body: { description: 'The form on the home page' },
  });
  await call('listRules', 'GET', '/v1/gates/{gate_id}/rules', { params: gate });
  await call('readRule', 'GET', '/v1/gates/{gate_id}/rules/{rule_id}', { params: ruleParams });
  await call('changeRule', 'PATCH', '/v1/gates/{gate_id}/rules/{rule_id}', {
    params: ruleParams,
    body: { mode: 'live' },
  });
  await call('orderRules', 'PUT', '/v1/gates/{gate_id}/rules/order', {
    params: gate,
    body: { rule_ids: [added.data.id] },
  });
  await call('replaceRules', 'PUT', '/v1/gates/{gate_id}/rules', {
    params: gate,
    body: { rules: [{ ...rule, id: added.data.id }] },
  });
  await call('listRevisions', 'GET', '/v1/gates/{gate_id}/revisions', { params: gate });
  await call('readRevision', 'GET', '/v1/gates/{gate_id}/revisions/{revision}', {
    params: { ...gate, revision: 'current' },
  });
  await call('restoreRevision', 'POST', '/v1/gates/{gate_id}/revisions/{revision}/restore', {
    params: { ...gate, revision: '2' },
    body: {},
  });
  const fields = (await call('listFields', 'GET', '/v1/fields')) as { data: unknown[]; operators: unknown[] };
  fields.data.length = 3;
  fields.operators.length = 3;
  await decisionCalls(call, gate, rule);
  await call('removeRule', 'DELETE', '/v1/gates/{gate_id}/rules/{rule_id}', { params: ruleParams });
  await call('removeGate', 'DELETE', '/v1/gates/{gate_id}', { params: gate });
}

async function decisionCalls(call: CallOperation, gate: { gate_id: string }, rule: object): Promise<void> {
  const body = { email: 'joe@mailinator.com', ip: '8.8.8.8' };
  const decided = (await call('decide', 'POST', '/v1/gates/{gate_id}/decisions', { params: gate, body })) as {
    meta: { decision_id: string };
  };
  await call('decideV0', 'POST', '/v0/gates/{gate_id}/decisions', {
    params: gate,
    body: { email: 'jane@example.com' },
  });
  await eventually(async () => {
    const log = (await call('listDecisions', 'GET', '/v1/gates/{gate_id}/decisions', { params: gate })) as {
      data: unknown[];
    };
    if (log.data.length !== 2) throw new Error('the decisions are not in the log yet');
    // One is enough to read.
    log.data.length = 1;
  });
  await call('searchDecisions', 'GET', '/v1/decisions', { query: { q: 'jane@example.com' } });
  const entry = { ...gate, decision_id: decided.meta.decision_id };
  await call('readDecision', 'GET', '/v1/gates/{gate_id}/decisions/{decision_id}', { params: entry });
  await call('setOutcome', 'PUT', '/v1/gates/{gate_id}/decisions/{decision_id}/outcome', {
    params: entry,
    body: { outcome: 'bad', reason: 'chargeback' },
  });
  await call('reportOutcomes', 'POST', '/v1/outcomes', {
    body: {
      outcomes: [
        { decision_id: decided.meta.decision_id, outcome: 'bad', reason: 'chargeback' },
        { email: 'jane@example.com', outcome: 'good' },
        { email: 'unknown@example.com', outcome: 'good' },
      ],
    },
  });
  await call('findExceptions', 'GET', '/v1/gates/{gate_id}/decisions/{decision_id}/exceptions', { params: entry });
  await call('readStats', 'GET', '/v1/gates/{gate_id}/stats', { params: gate });
  await call('trace', 'POST', '/v1/gates/{gate_id}/trace', { params: gate, body: { email: 'joe@mailinator.com' } });
  await call('backtest', 'POST', '/v1/gates/{gate_id}/backtest', {
    params: gate,
    body: { rules: [rule], default_action: 'challenge' },
  });
  await suggestionCall(call, gate);
  await call('removeOutcome', 'DELETE', '/v1/gates/{gate_id}/decisions/{decision_id}/outcome', { params: entry });
}

async function listCalls(call: CallOperation): Promise<void> {
  const made = (await call('createCustomList', 'POST', '/v1/lists', {
    body: { name: 'Customers', kind: 'email', description: 'Never block these' },
  })) as { data: { id: string } };
  const params = { list_id: made.data.id };
  await call('addToCustomList', 'POST', '/v1/lists/{list_id}/entries', {
    params,
    body: { entries: [{ value: 'Jane.Doe+news@gmail.com', note: 'Ticket 4711' }, { value: 'not an address' }] },
  });
  await call('listCustomLists', 'GET', '/v1/lists');
  await call('readCustomList', 'GET', '/v1/lists/{list_id}', { params });
  await call('changeCustomList', 'PATCH', '/v1/lists/{list_id}', { params, body: { description: 'Always allow' } });
  await call('listCustomListEntries', 'GET', '/v1/lists/{list_id}/entries', { params, query: { q: 'jane' } });
  await call('removeFromCustomList', 'DELETE', '/v1/lists/{list_id}/entries', {
    params,
    body: { values: ['janedoe@gmail.com'] },
  });
  await call('removeCustomList', 'DELETE', '/v1/lists/{list_id}', { params });
}

async function suggestionCall(call: CallOperation, gate: { gate_id: string }): Promise<void> {
  const outcomes: object[] = [];
  for (let index = 0; index < 48; index += 1) {
    const isBad = index % 2 === 0;
    const email = isBad ? `signup${index}-${1_000 + index}@example.xyz` : `jane${index}@example.com`;
    const { meta } = (await call(unshown, 'POST', '/v1/gates/{gate_id}/decisions', {
      params: gate,
      body: { email },
    })) as { meta: { decision_id: string } };
    outcomes.push({ decision_id: meta.decision_id, outcome: isBad ? 'bad' : 'good' });
  }
  await call(unshown, 'POST', '/v1/outcomes', { body: { outcomes } });
  await call('suggestRules', 'POST', '/v1/gates/{gate_id}/suggestions', {
    params: gate,
    body: { action: 'challenge' },
  });
}

async function hookCalls(call: CallOperation): Promise<void> {
  const gate = (await call(unshown, 'POST', '/v1/gates', { body: { name: 'Sign-up' } })) as { data: { id: string } };
  const made = (await call('createHook', 'POST', '/v1/hooks', {
    body: { name: 'Supabase', gate_id: gate.data.id, format: 'supabase' },
  })) as typeof gate;
  const hook = { hook_id: made.data.id };
  await call('listHooks', 'GET', '/v1/hooks');
  await call('readHook', 'GET', '/v1/hooks/{hook_id}', { params: hook });
  await call('changeHook', 'PATCH', '/v1/hooks/{hook_id}', { params: hook, body: { challenge: 'block' } });
  await call('rotateHookSecret', 'POST', '/v1/hooks/{hook_id}/secret', { params: hook, body: { keep_old: true } });
  await call('testHook', 'POST', '/v1/hooks/{hook_id}/test', {
    params: hook,
    body: { email: 'jane@mailinator.com', ip: '8.8.8.8' },
  });
  await call('removeHook', 'DELETE', '/v1/hooks/{hook_id}', { params: hook });
}

async function webhookCalls(call: CallOperation): Promise<void> {
  const made = (await call('createWebhook', 'POST', '/v1/webhooks', {
    body: {
      url: 'https://app.example.com/hooks/signalpost',
      events: ['domain.flagged.disposable', 'credits.threshold'],
    },
  })) as { data: { id: string } };
  const webhook = { webhook_id: made.data.id };
  await call('listWebhooks', 'GET', '/v1/webhooks');
  await call('readWebhook', 'GET', '/v1/webhooks/{webhook_id}', { params: webhook });
  await call('changeWebhook', 'PATCH', '/v1/webhooks/{webhook_id}', {
    params: webhook,
    body: { description: 'The customer database' },
  });
  await call('rotateWebhookSecret', 'POST', '/v1/webhooks/{webhook_id}/rotate-secret', { params: webhook });
  const sent = (await call('testWebhook', 'POST', '/v1/webhooks/{webhook_id}/test', {
    params: webhook,
  })) as typeof made;
  await call('listDeliveries', 'GET', '/v1/webhooks/{webhook_id}/deliveries', { params: webhook });
  await call('retryDelivery', 'POST', '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', {
    params: { ...webhook, delivery_id: sent.data.id },
  });
  await call('removeWebhook', 'DELETE', '/v1/webhooks/{webhook_id}', { params: webhook });
}

async function waveCalls({ db }: StartedApp, call: CallOperation): Promise<void> {
  const { account_id } = await db.read.selectFrom('environment_counts').select('account_id').executeTakeFirstOrThrow();
  const gate = (await call(unshown, 'POST', '/v1/gates', { body: { name: 'Sign-ups', preset: 'none' } })) as {
    data: { id: string };
  };
  const path = '/v1/gates/{gate_id}/decisions';
  const params = { gate_id: gate.data.id };
  await call(unshown, 'POST', path, { params, body: { email: 'jane@wave.example', ip: '203.0.113.7' } });
  // Reading the log writes it.
  const log = (await call(unshown, 'GET', path, { params })) as { data: [{ id: string }] };
  const [decision] = log.data;
  const atMs = Date.now();
  const id = ulid(atMs).toLowerCase();
  await db.write
    .insertInto('waves')
    .values({
      id,
      account_id,
      environment: 'production',
      kind: 'domain',
      value: 'wave.example',
      key: 1,
      began_at: atMs,
      last_at: atMs,
      ended_at: null,
      addresses: 9,
      domains: 1,
      ips: 4,
      allow: 9,
      block: 0,
      challenge: 0,
      usual_per_hour: 0,
      threshold: 8,
      verdict: null,
      created_at: atMs,
      slow: 0,
      stopped: 0,
      shared_values: '[]',
      links: '[]',
      above_until: atMs,
      counted_through: atMs,
      samples: '[]',
    })
    .execute();
  const member = { atMs: timeOfId(decision.id), idEnd: idEndWord(decision.id), action: 1, member: 1, domain: 1, ip: 1 };
  await db.write
    .insertInto('wave_members')
    .values({ wave_id: id, no: 0, body: encodeMembers([member]) })
    .execute();
  await call('listWaves', 'GET', '/v1/waves', { query: { state: 'open' } });
  await call('readWave', 'GET', '/v1/waves/{wave_id}', { params: { wave_id: id } });
  await call('acceptWaveRule', 'POST', '/v1/waves/{wave_id}/rule', {
    params: { wave_id: id },
    body: { action: 'challenge' },
  });
  await call('judgeWave', 'PATCH', '/v1/waves/{wave_id}', { params: { wave_id: id }, body: { verdict: 'attack' } });
  await call('reportWaveOutcome', 'PUT', '/v1/waves/{wave_id}/outcome', {
    params: { wave_id: id },
    body: { outcome: 'bad' },
  });
  await call('removeWaveOutcome', 'DELETE', '/v1/waves/{wave_id}/outcome', { params: { wave_id: id } });
  await call('readWaveSettings', 'GET', '/v1/waves/settings');
  await call('changeWaveSettings', 'PATCH', '/v1/waves/settings', { body: { min_addresses: 12 } });
}

async function request(
  started: StartedApp,
  key: string,
  method: InjectedRequest['method'],
  path: string,
  { params = {}, query = {}, body }: Sent,
): Promise<unknown> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const { status, json, text, headers } = await started.request(
    method,
    search === '' ? filled : `${filled}?${search}`,
    {
      key,
      ...(body === undefined ? {} : { body }),
    },
  );
  if (status === 429) {
    await setTimeout(Number(headers['retry-after']) * 1_000);
    return request(started, key, method, path, { params, query, body });
  }
  if (status >= 300) throw new Error(`${method} ${filled}: ${status} ${text}`);
  return json;
}
