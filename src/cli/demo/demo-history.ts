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

const allowPartners = (listId: string): Rule => ({
  name: 'Partners',
  action: 'allow',
  stop: true,
  position: 0,
  conditions: [{ field: 'domain.name', operator: 'in_list', value: listId }],
});
const partners = ['northwind.example', 'contoso.example', 'adatum.example'];

/** Creates the gates and returns the changes of the month. */
export async function beginHistory(
  service: DemoService,
  { keys, asJane, receiver, outcomes }: DemoHistory,
): Promise<{ gates: DemoGates; changes: readonly DemoChange[] }> {
  const create = async (headers: Headers, path: string, body: object): Promise<string> =>
    (await service.call<{ data: { id: string } }>('POST', path, headers, body)).json.data.id;
  const createGate = (key: string, body: object): Promise<string> =>
    create({ authorization: `Bearer ${key}` }, '/v1/gates', body);
  const gates = {
    signUp: await createGate(keys.production, { name: 'Sign-up', description: 'Who may open an account' }),
    newsletter: await createGate(keys.production, { name: 'Newsletter', rules: [roleAccount] }),
    staging: await createGate(keys.staging, { name: 'Sign-up' }),
  };
  const api = '/console/api/production';
  const rules = `/v1/gates/${gates.signUp}/rules`;
  const post = async (path: string, body: object): Promise<string> => create(await asJane(), `${api}${path}`, body);
  const addRule = async (rule: Rule): Promise<void> => {
    ruleIds.set(rule.name, await post(rules, rule));
  };
  const ruleIds = new Map<string, string>();
  const reword = async ({ name }: Rule, message: string): Promise<void> => {
    await service.call('PATCH', `${api}${rules}/${ruleIds.get(name)}`, await asJane(), { message });
  };
  const block = async (domains: readonly string[]): Promise<void> => {
    await service.call('POST', `${api}/blocklist/bulk`, await asJane(), { domains });
  };
  const trustPartners = async (): Promise<void> => {
    const listId = await post('/v1/lists', { name: 'Partners', kind: 'domain', description: 'Companies that we know' });
    await post(`/v1/lists/${listId}/entries`, { entries: partners.map((value) => ({ value, note: 'contract' })) });
    await addRule(allowPartners(listId));
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
