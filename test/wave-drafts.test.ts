import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { describeService } from './engines.ts';
import { type GateClient, gateClient } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);
const dayMs = 86_400_000;

interface Drafted {
  readonly id: string;
  readonly kind: string;
  readonly value: string;
  readonly stopped: boolean;
  readonly confirmed_bad: number;
  readonly confirmed_good: number;
  readonly about: { readonly text: string; readonly [name: string]: unknown };
  readonly stopped_by: readonly {
    readonly gate_id: string;
    readonly rule: { readonly name: string } | null;
    readonly since: string;
    readonly turned_away: number;
  }[];
  readonly rule: {
    readonly action: string;
    readonly conditions: readonly { readonly field: string; readonly operator: string; readonly value: unknown }[];
  } | null;
  readonly list_entry: {
    readonly list: { readonly id: string | null; readonly name: string; readonly kind: string };
    readonly value: string;
    readonly note: string;
    readonly expires_at: string;
  } | null;
}

interface Visitor {
  readonly email: string;
  readonly ip?: string;
  readonly device?: string;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Local parts of different shapes. */
const shapeless = (index: number): string => `${letters.slice(0, 1 + (index % 20))}.${index}`;
const spread = (index: number): string => `${20 + (index % 150)}.${index % 256}.${(index * 7) % 256}.9`;
const word = (index: number): string =>
  `${letters[index % 26]}${letters[(index * 7) % 26]}${letters[(index * 3) % 26]}`;

const mailHosts = ['pool-mail.com'];
const pooled = ['pool-a.com', 'pool-b.com', 'pool-c.com', 'pool-d.com'];
const ownServers = Array.from({ length: 300 }, (_, index) => [
  `rotating-${index}.com`,
  `first-visit-${index}.com`,
]).flat();
const zone = Object.fromEntries([
  ...ownServers.map((domain) => [domain, { MX: [[10, `mx.${domain}`]] as const }] as const),
  ...pooled.map((domain) => [domain, { MX: [[10, `mx.${mailHosts[0]}`]] as const }] as const),
]);

/** What the attackers and other people of an attack look like, the draft against it and how many other people it touches. */
interface Attack {
  readonly name: string;
  readonly attacker: (index: number) => Visitor;
  /** Other people whom a careless rule would hit. */
  readonly neighbour: (index: number) => Visitor;
  readonly kind: string;
  readonly draft: readonly [action: string, field: string, operator: string];
  /** Of 60 attackers and 25 other people after it was accepted. */
  readonly stopped: number;
  readonly hit: number;
  /** The environment has seen sign-ups for more than a week. */
  readonly isKnown?: true;
}

const attacks: readonly Attack[] = [
  {
    name: 'one domain that no list knows',
    attacker: (index) => ({ email: `${shapeless(index)}@wave-domain.com`, ip: spread(index) }),
    neighbour: (index) => ({ email: `${shapeless(index)}@other-${word(index)}.com`, ip: spread(index) }),
    kind: 'domain',
    draft: ['block', 'domain.registrable', 'equals'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'four domains of one mail server',
    attacker: (index) => ({ email: `${shapeless(index)}@${pooled[index % 4]}`, ip: spread(index) }),
    neighbour: (index) => ({ email: `${shapeless(index)}@other-${word(index)}.com`, ip: spread(index) }),
    kind: 'mail_server',
    draft: ['block', 'domain.mx_records.*.hostname', 'matches'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'one /24 with public mail',
    attacker: (index) => ({ email: `${shapeless(index)}@gmail.com`, ip: `203.0.113.${index}` }),
    neighbour: (index) => ({ email: `${word(index)}${index}@gmail.com`, ip: `198.51.100.${index}` }),
    kind: 'network',
    draft: ['challenge', 'ip.address', 'in_list'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'two neighbouring /24',
    attacker: (index) => ({ email: `${shapeless(index)}@gmail.com`, ip: `203.0.${112 + (index % 2)}.${index}` }),
    neighbour: (index) => ({ email: `${word(index)}${index}@gmail.com`, ip: `203.0.118.${index}` }),
    kind: 'network',
    draft: ['challenge', 'ip.address', 'in_list'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'everywhere in one IPv6 /32',
    attacker: (index) => ({ email: `${shapeless(index)}@gmail.com`, ip: `2001:db8:${(index + 1).toString(16)}::1` }),
    neighbour: (index) => ({ email: `${word(index)}${index}@gmail.com`, ip: `2a00:1450:${index + 1}::1` }),
    kind: 'network',
    draft: ['challenge', 'ip.address', 'in_list'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'one shape at four domains',
    attacker: (index) => ({
      email: `${word(index)}.${word(index + 5)}${10 + (index % 90)}@made-${index % 4}.com`,
      ip: spread(index),
    }),
    neighbour: (index) => ({
      email: `${word(index)}.${word(index + 3)}${10 + (index % 90)}@office-${index}.com`,
      ip: spread(index),
    }),
    kind: 'shape',
    draft: ['challenge', 'domain.registrable', 'in'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'one shape, each at a domain of its own',
    attacker: (index) => ({
      email: `${word(index)}.${word(index + 5)}${10 + (index % 90)}@fresh-${index}.com`,
      ip: spread(index),
    }),
    neighbour: (index) => ({ email: `${shapeless(index)}@office-${index}.com`, ip: spread(index) }),
    kind: 'shape',
    draft: ['challenge', 'email.local_part', 'matches'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'spellings of one mailbox from many networks',
    attacker: (index) => ({ email: `jane.roe+${shapeless(index)}@gmail.com`, ip: spread(index) }),
    neighbour: (index) => ({ email: `${word(index)}${index}+shop@gmail.com`, ip: spread(index) }),
    kind: 'mailbox',
    draft: ['block', 'traffic.address.spellings_24h', 'greater_than_or_equal'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'one device with public mail from many networks',
    attacker: (index) => ({ email: `${shapeless(index)}@gmail.com`, ip: spread(index), device: 'emulator 1' }),
    neighbour: (index) => ({
      email: `${word(index)}${index}@gmail.com`,
      ip: spread(index),
      device: `phone ${index >> 1}`,
    }),
    kind: 'device',
    draft: ['challenge', 'traffic.device.addresses_24h', 'greater_than_or_equal'],
    stopped: 60,
    hit: 0,
  },
  {
    name: 'a new domain for each address',
    attacker: (index) => ({ email: `${shapeless(index)}@rotating-${index}.com`, ip: spread(index) }),
    neighbour: (index) => ({
      email: index % 5 === 0 ? `${shapeless(index)}@first-visit-${index}.com` : `${word(index)}${index}@gmail.com`,
      ip: spread(index),
    }),
    kind: 'new_domains',
    draft: ['challenge', 'traffic.domain.first_seen_days', 'less_than'],
    stopped: 60,
    // Five of the 25 are the first of their companies.
    hit: 5,
    isKnown: true,
  },
];

await describeService('drafts of rules against waves', (fresh) => {
  let dns: DnsServer;
  let started: StartedApp;
  before(async () => {
    dns = await startDnsServer(zone);
    const variables = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000', RDAP: 'off' };
    started = await startApp(variables, { database: await fresh(), nowMs });
  });
  after(async () => {
    await started.close();
    await dns.close();
  });

  const account = async (): Promise<{ client: GateClient; gateId: string; accountId: string }> => {
    const made = await started.createAccount({ plan: 'self-hosted' });
    const client = gateClient(started, made.keys.production);
    return { client, gateId: (await client.createGate()).id, accountId: made.id };
  };
  const wavesOf = async (client: GateClient): Promise<readonly Drafted[]> => {
    await started.app.detectWaves();
    // Reading the log writes what is in the buffer.
    await client.call('GET', '/v1/decisions?limit=1');
    return (await client.call<{ data: Drafted[] }>('GET', '/v1/waves')).json.data;
  };
  const read = async (client: GateClient, id: string | undefined): Promise<Drafted> =>
    (await client.call<{ data: Drafted }>('GET', `/v1/waves/${id}`)).json.data;
  const decideAll = async (client: GateClient, gateId: string, visitors: readonly Visitor[]): Promise<number> => {
    let turnedAway = 0;
    for (const visitor of visitors) {
      const { decision } = await client.decide(gateId, visitor);
      turnedAway += decision.action === 'allow' ? 0 : 1;
    }
    return turnedAway;
  };
  const from = (first: number, count: number, make: (index: number) => Visitor): Visitor[] =>
    Array.from({ length: count }, (_, index) => make(first + index));
  const accept = async (client: GateClient, id: string, body: object = {}) =>
    client.call<{ data: { gate_id: string; rule: { id: string } | null; list_entry: object | null } }>(
      'POST',
      `/v1/waves/${id}/rule`,
      body,
    );

  it('a network is accepted as an entry for seven days on a list, which is created once, and a rule on it [D429]', async () => {
    const { client, gateId } = await account();
    const attack = (network: string) => (index: number) => ({
      email: `${shapeless(index)}@gmail.com`,
      ip: `${network}.${index}`,
    });
    await decideAll(client, gateId, from(0, 10, attack('203.0.113')));
    const wave = await read(client, (await wavesOf(client))[0]?.id);
    const { list_entry: entry, rule } = wave;
    assert.deepEqual(entry?.list, { id: null, name: 'Waves', kind: 'ip' });
    assert.equal(entry?.value, '203.0.113.0/24');
    assert.equal(rule?.conditions[0]?.value, null);
    assert.equal(Date.parse(entry?.expires_at ?? '') - Math.floor(started.clock.now() / 1_000) * 1_000, 7 * dayMs);
    const accepted = await accept(client, wave.id);
    assert.deepEqual([accepted.status, accepted.json.data.gate_id], [200, gateId]);
    const lists = (await client.call<{ data: { id: string; name: string; kind: string }[] }>('GET', '/v1/lists')).json;
    assert.deepEqual(
      lists.data.map(({ name, kind }) => [name, kind]),
      [['Waves', 'ip']],
    );
    const listId = lists.data[0]?.id;
    const { json } = await client.call<{ data: { value: string; expires_at: string; note: string }[] }>(
      'GET',
      `/v1/lists/${listId}/entries`,
    );
    assert.deepEqual(
      json.data.map(({ value, expires_at }) => [value, expires_at]),
      [['203.0.113.0/24', entry?.expires_at]],
    );
    const [added] = (await client.readGate(gateId)).rules;
    assert.deepEqual(added?.conditions, [{ field: 'ip.address', operator: 'in_list', value: listId }]);
    const again = await accept(client, wave.id);
    assert.deepEqual([again.json.data.rule, again.json.data.list_entry], [null, null]);
    assert.deepEqual([(await client.readGate(gateId)).rules.length, (await read(client, wave.id)).rule], [1, null]);

    await decideAll(client, gateId, from(0, 10, attack('198.51.100')));
    const second = (await wavesOf(client)).find(({ value }) => value === '198.51.100.0/24');
    const another = await read(client, second?.id);
    assert.deepEqual([another.rule, another.list_entry?.list.id], [null, listId], 'the entry suffices');
    assert.equal((await accept(client, another.id)).json.data.rule, null);
    assert.equal(await decideAll(client, gateId, from(50, 5, attack('198.51.100'))), 5);
    assert.equal((await client.readGate(gateId)).rules.length, 1);
  });

  it('a wave that live rules stop has no draft, and says which rule stops it since when [D433]', async () => {
    const { client, gateId } = await account();
    const attacker = (index: number) => ({ email: `${shapeless(index)}@stopped-wave.com`, ip: spread(index) });
    await decideAll(client, gateId, from(0, 9, attacker));
    const [wave] = await wavesOf(client);
    const accepted = await accept(client, wave?.id ?? '');
    const ruleId = accepted.json.data.rule?.id;
    started.clock.advance(660_000);
    await decideAll(client, gateId, from(20, 12, attacker));
    await wavesOf(client);
    const stopped = await read(client, wave?.id);
    assert.deepEqual([stopped.stopped, stopped.rule, stopped.list_entry], [true, null, null]);
    const [by, ...others] = stopped.stopped_by;
    assert.deepEqual([by?.gate_id, by?.rule?.name, by?.turned_away], [gateId, 'Wave: stopped-wave.com', 12]);
    assert.deepEqual(others, []);
    await client.call('PATCH', `/v1/gates/${gateId}/rules/${ruleId}`, { enabled: false });
    assert.equal((await read(client, wave?.id)).rule?.action, 'block', 'the rule no longer stops it');
    const inWave = { conditions: [{ field: 'traffic.in_wave', operator: 'equals', value: true }] };
    await client.addRule(gateId, { name: 'Part of a wave', action: 'challenge', ...inWave });
    started.clock.advance(660_000);
    await decideAll(client, gateId, from(50, 3, attacker));
    await wavesOf(client);
    const challenged = await read(client, wave?.id);
    assert.deepEqual([challenged.stopped, challenged.rule?.action], [true, 'block'], 'a rule on in_wave ends with it');
    const { text } = await started.request('GET', '/metrics');
    assert.match(text, /^signalpost_waves_total\{stopped="false"\} \d+$/m);
  });

  it('a wave counts the outcomes of its members, and a value with a good one is not blocked [D430 D434]', async () => {
    const { client, gateId } = await account();
    const attacker = (index: number) => ({ email: `${shapeless(index)}@mixed-wave.com`, ip: spread(index) });
    await decideAll(client, gateId, from(0, 9, attacker));
    const [wave] = await wavesOf(client);
    const report = (outcomes: object[]) => client.call('POST', '/v1/outcomes', { outcomes });
    await report(from(0, 3, attacker).map(({ email }) => ({ email, outcome: 'bad' })));
    const bad = await read(client, wave?.id);
    assert.deepEqual([bad.confirmed_bad, bad.confirmed_good, bad.rule?.action], [3, 0, 'block']);
    await report([{ email: attacker(5).email, outcome: 'good' }]);
    const [listed] = await wavesOf(client);
    assert.deepEqual([listed?.confirmed_bad, listed?.confirmed_good], [3, 1]);
    assert.equal((await read(client, wave?.id)).rule?.action, 'challenge');
    const refused = await accept(client, wave?.id ?? '', { action: 'block' });
    assert.deepEqual(
      [refused.status, Object.keys((refused.json as never as { errors: object }).errors)],
      [422, ['action']],
    );
    const unknown = await accept(client, wave?.id ?? '', { gate_id: '01m7kqnc792cbh1h1k3cdtz6yq' });
    assert.equal(unknown.status, 404);
  });

  it('the log is filtered by a wave: all of its decisions and no others [D421]', async () => {
    const { client, gateId } = await account();
    const attacker = (index: number) => ({ email: `${shapeless(index)}@filtered-wave.com` });
    await decideAll(client, gateId, [...from(0, 30, attacker), { email: 'other@elsewhere.com' }]);
    const [wave] = await wavesOf(client);
    const { json } = await client.call<{ data: { input: { email: string } }[] }>(
      'GET',
      `/v1/decisions?limit=100&wave_id=${wave?.id}`,
    );
    assert.equal(json.data.length, 30);
    assert.ok(json.data.every(({ input }) => input.email.endsWith('@filtered-wave.com')));
    const unknown = await client.call('GET', '/v1/decisions?wave_id=01m7kqnc792cbh1h1k3cdtz6yq');
    assert.deepEqual([unknown.status, unknown.json.error], [404, 'wave_not_found']);
  });

  it('a wave says what its value is [D435]', async () => {
    const aboutWaveOf = async (attacker: (index: number) => Visitor) => {
      const { client, gateId } = await account();
      await decideAll(client, gateId, from(0, 12, attacker));
      return (await read(client, (await wavesOf(client))[0]?.id)).about;
    };
    const shape = await aboutWaveOf((index) => ({
      email: `${word(index)}.${word(index + 5)}${10 + index}@told-${index % 4}.com`,
    }));
    assert.match(shape.text, /^Local parts of three letters, dot, three letters, two digits, such as /);
    const server = await aboutWaveOf((index) => ({ email: `${shapeless(index)}@${pooled[index % 4]}` }));
    assert.equal(server.text, 'A mail server of pool-d.com, pool-c.com and pool-b.com.');
    const domain = await aboutWaveOf((index) => ({ email: `${shapeless(index)}@no-mail.com` }));
    assert.deepEqual([domain.text, domain.mail_servers, domain.relay], ['Without mail servers.', [], false]);
  });

  for (const { name, attacker, neighbour, kind, draft, stopped, hit, isKnown } of attacks) {
    it(`the draft against ${name} stops ${stopped} of 60 and hits ${hit} of 25 others once it is accepted [D432]`, async () => {
      const { client, gateId } = await account();
      if (isKnown) {
        await client.decide(gateId, { email: 'first@known.com' });
        await started.app.detectWaves();
        started.clock.advance(8 * dayMs);
      }
      await decideAll(client, gateId, from(0, 20, attacker));
      const waves = await wavesOf(client);
      assert.deepEqual(
        waves.map((wave) => wave.kind),
        [kind],
      );
      const wave = await read(client, waves[0]?.id);
      const [condition] = wave.rule?.conditions ?? [];
      assert.deepEqual([wave.rule?.action, condition?.field, condition?.operator], draft);
      const accepted = await accept(client, wave.id);
      assert.equal(accepted.status, 200, accepted.text);
      assert.equal(accepted.json.data.gate_id, gateId);
      assert.equal(await decideAll(client, gateId, from(100, 60, attacker)), stopped, 'attackers turned away');
      assert.equal(await decideAll(client, gateId, from(200, 25, neighbour)), hit, 'others turned away');
    });
  }
});
