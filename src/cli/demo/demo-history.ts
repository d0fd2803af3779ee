import type { DemoService, Headers } from './demo-service.ts';

/** The gates of the demonstration. */
export interface DemoGates {
  readonly signUp: string;
  readonly newsletter: string;
  readonly staging: string;
}

/** A change that a user makes on a day of the month. */
export interface DemoChange {
  readonly daysAgo: number;
  run(): Promise<void>;
}

interface Rule {
  readonly name: string;
  readonly [field: string]: unknown;
}

const digits: Rule = {
  name: 'Free mail, many digits',
  action: 'challenge',
  message: 'Please confirm that you are a person.',
  conditions: [
    { field: 'domain.public_domain', operator: 'equals', value: true },
    { field: 'email.local_part', operator: 'matches', value: '\\d{5,}$' },
  ],
};
const youngDomain: Rule = {
  name: 'Young domain, 60 days',
  action: 'challenge',
  mode: 'shadow',
  conditions: [{ field: 'domain.age_days', operator: 'less_than', value: 60 }],
};
const roleAccount: Rule = {
  name: 'Shared mailbox',
  action: 'challenge',
  conditions: [{ field: 'email.role_account', operator: 'equals', value: true }],
};

const blocked = ['parked.example', 'spam.example', 'bulk-mail.example', 'fake-shop.example', 'click-farm.example'];

/** The parts that the history is written through. */
interface DemoHistory {
  readonly keys: Readonly<Record<'production' | 'staging', string>>;
  /** The headers of a signed-in user. */
  readonly asJane: () => Promise<Headers>;
  readonly receiver: string;
  readonly outcomes: readonly object[];
}

const partners = ['northwind.example', 'contoso.example', 'adatum.example'];

/** Creates the gates and returns the changes of the month. */
export async function beginHistory(
  service: DemoService,
  { keys, asJane, receiver, outcomes }: DemoHistory,
): Promise<{ gates: DemoGates; changes: readonly DemoChange[] }> {
  const key = (value: string): Headers => ({ authorization: `Bearer ${value}` });
  const createGate = async (headers: Headers, body: object): Promise<string> =>
    (await service.call<{ data: { id: string } }>('POST', '/v1/gates', headers, body)).json.data.id;
  const gates = {
    signUp: await createGate(key(keys.production), { name: 'Sign-up', description: 'Who may open an account' }),
    newsletter: await createGate(key(keys.production), { name: 'Newsletter', rules: [roleAccount] }),
    staging: await createGate(key(keys.staging), { name: 'Sign-up' }),
  };
  const api = '/console/api/production';
  const rules = `${api}/v1/gates/${gates.signUp}/rules`;
  const addRule = async (rule: Rule): Promise<void> => {
    const { json } = await service.call<{ data: { id: string } }>('POST', rules, await asJane(), rule);
    ruleIds.set(rule.name, json.data.id);
  };
  const ruleIds = new Map<string, string>();
  const reword = async ({ name }: Rule, message: string): Promise<void> => {
    await service.call('PATCH', `${rules}/${ruleIds.get(name)}`, await asJane(), { message });
  };
  const block = async (domains: readonly string[]): Promise<void> => {
    await service.call('POST', `${api}/blocklist/bulk`, await asJane(), { domains });
  };
  const post = async (path: string, body: object): Promise<string> => {
    const { json } = await service.call<{ data: { id: string } }>('POST', `${api}${path}`, await asJane(), body);
    return json.data.id;
  };
  const trustPartners = async (): Promise<void> => {
    const listId = await post('/v1/lists', { name: 'Partners', kind: 'domain', description: 'Companies that we know' });
    await post(`/v1/lists/${listId}/entries`, { entries: partners.map((value) => ({ value, note: 'contract' })) });
    await addRule({
      name: 'Partners',
      action: 'allow',
      stop: true,
      position: 0,
      conditions: [{ field: 'domain.name', operator: 'in_list', value: listId }],
    });
  };
  const connect = async (): Promise<void> => {
    await post('/v1/webhooks', { url: `${receiver}/waves`, events: ['traffic.wave.began', 'traffic.wave.ended'] });
    await post('/v1/hooks', { name: 'Supabase', format: 'supabase', gate_id: gates.signUp });
  };
  const changes = [
    { daysAgo: 29, run: trustPartners },
    { daysAgo: 28, run: connect },
    { daysAgo: 27, run: () => block(blocked.slice(0, 2)) },
    { daysAgo: 20, run: () => addRule(digits) },
    { daysAgo: 12, run: () => addRule(youngDomain) },
    { daysAgo: 4.3, run: () => block(blocked.slice(2)) },
    { daysAgo: 3, run: async () => void (await post('/v1/outcomes', { outcomes })) },
    { daysAgo: 2.2, run: () => reword(digits, 'Please confirm your address first.') },
  ];
  return { gates, changes };
}
