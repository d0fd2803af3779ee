import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeService } from '../../test/engines.ts';
import { type SignUp, startWaveSimulation, type WaveSimulation } from '../../test/wave-simulation.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Author } from '../http/endpoint.ts';
import { trait } from '../traffic/observation.ts';
import { createDetectionStore } from './detection-store.ts';
import { createWavesStore } from './waves-store.ts';

const startMs = Date.UTC(2026, 10, 2, 9);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const { public: publicMail, established, relay } = trait;

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Local parts of different shapes. */
const shapeless = (index: number): string => `${letters.slice(0, 1 + (index % 20))}.${index}`;
const many = (count: number, make: (index: number) => SignUp): SignUp[] =>
  Array.from({ length: count }, (_, index) => make(index));
const atDomain = (count: number, domain: string, more: Partial<SignUp> = {}): SignUp[] =>
  many(count, (index) => ({ email: `${shapeless(index)}@${domain}`, ...more }));
const spread = (index: number): string => `${20 + (index % 150)}.${index % 256}.${index >> 8}.9`;

await describeService('the detection of waves', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  /** Sign-ups a second apart from a moment on, and a round after them. */
  const arrive = async (simulation: WaveSimulation, fromMs: number, signUps: readonly SignUp[]): Promise<void> => {
    simulation.at(fromMs);
    for (const [index, one] of signUps.entries()) {
      simulation.at(fromMs + index * 1_000);
      simulation.signUp(one);
    }
    await simulation.round();
  };
  const wavesOf = async (simulation: WaveSimulation) =>
    (await simulation.waves()).map(({ kind, value, addresses }) => [kind, value, addresses]).sort();
  /** An environment that is known for longer than a day. */
  const known = async (): Promise<WaveSimulation> => {
    const simulation = await startWaveSimulation(db, startMs - 2 * dayMs);
    await arrive(simulation, startMs - 2 * dayMs, [{ email: 'first@known.example' }]);
    return simulation;
  };
  const raised = async (signUps: readonly SignUp[], simulation?: WaveSimulation) => {
    const run = simulation ?? (await known());
    await arrive(run, startMs, signUps);
    return wavesOf(run);
  };

  const kinds: readonly (readonly [string, readonly SignUp[], readonly unknown[]])[] = [
    ['eight addresses at one domain', atDomain(8, 'd.example'), [['domain', 'd.example', 8]]],
    ['seven addresses at one domain', atDomain(7, 'd.example'), []],
    [
      'eight addresses at three domains of one mail server',
      many(8, (index) => ({ email: `${shapeless(index)}@d${index % 3}.example`, mailServer: 'mail.example' })),
      [['mail_server', 'mail.example', 8]],
    ],
    [
      'eight addresses at two domains of one mail server',
      many(8, (index) => ({ email: `${shapeless(index)}@d${index % 2}.example`, mailServer: 'mail.example' })),
      [],
    ],
    [
      'eight addresses from one network',
      many(8, (index) => ({ email: `${shapeless(index)}@gmail.com`, traits: publicMail, ip: `203.0.113.${index}` })),
      [['network', '203.0.113.0/24', 8]],
    ],
    [
      'eight addresses from one IPv6 network',
      many(8, (index) => ({
        email: `${shapeless(index)}@gmail.com`,
        traits: publicMail,
        ip: `2001:db8:5:${index}::1`,
      })),
      [['network', '2001:db8:5::/48', 8]],
    ],
    [
      'eight addresses from one network, seven of them at established domains',
      many(8, (index) => ({
        email: `${shapeless(index)}@${index === 0 ? 'gmail.com' : `company-${index}.example`}`,
        traits: index === 0 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [],
    ],
    [
      'a conference: 20 addresses of a network, five of the first by chance at public mail services, the others at established domains',
      many(20, (index) => ({
        email: `${shapeless(index)}@${index < 5 ? 'gmail.com' : `company-${index}.example`}`,
        traits: index < 5 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [],
    ],
    [
      'ten addresses from one network, half of them at established domains',
      many(10, (index) => ({
        email: `${shapeless(index)}@${index < 5 ? 'gmail.com' : `company-${index}.example`}`,
        traits: index < 5 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [],
    ],
    [
      'sixteen addresses from one network, half of them at established domains',
      many(16, (index) => ({
        email: `${shapeless(index)}@${index < 8 ? 'gmail.com' : `company-${index}.example`}`,
        traits: index < 8 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [['network', '203.0.113.0/24', 8]],
    ],
    [
      'eight addresses from one network at an established relay service',
      many(8, (index) => ({
        email: `${shapeless(index)}@relay.example`,
        traits: relay | established,
        ip: `203.0.113.${index}`,
      })),
      [['network', '203.0.113.0/24', 8]],
    ],
    [
      'eight spellings of one mailbox from one network',
      many(8, (index) => ({
        email: `jane+${index}@gmail.com`,
        normalized: 'jane@gmail.com',
        traits: publicMail,
        ip: '203.0.113.9',
      })),
      [['mailbox', 'jane@gmail.com', 8]],
    ],
    [
      'eight spellings of one mailbox without IP addresses',
      many(8, (index) => ({ email: `j.ane+${index}@gmail.com`, normalized: 'jane@gmail.com', traits: publicMail })),
      [['mailbox', 'jane@gmail.com', 8]],
    ],
    [
      'eight addresses with one device',
      many(8, (index) => ({
        email: `${shapeless(index)}@gmail.com`,
        traits: publicMail,
        ip: spread(index),
        device: '0123456789abcdef',
      })),
      [['device', '0123456789ab', 8]],
    ],
    [
      'addresses from everywhere in one IPv6 /32',
      many(10, (index) => ({ email: `${shapeless(index)}@gmail.com`, traits: publicMail, ip: `2001:db8:${index}::1` })),
      [['network', '2001:db8::/32', 10]],
    ],
    [
      'two neighbouring networks',
      many(20, (index) => ({
        email: `${shapeless(index)}@gmail.com`,
        traits: publicMail,
        ip: `203.0.${112 + (index % 2)}.${index}`,
      })),
      [['network', '203.0.112.0/23', 20]],
    ],
    [
      'three networks of one autonomous system',
      many(30, (index) => ({
        email: `${shapeless(index)}@gmail.com`,
        traits: publicMail,
        ip: `${60 + (index % 3)}.0.113.${index}`,
        asn: 64_500,
      })),
      [['network', 'AS64500', 30]],
    ],
    ['addresses at a relay service', atDomain(50, 'relay.example', { traits: relay }), []],
    [
      'eight addresses of one shape at as many domains',
      many(8, (index) => ({ email: `abc${letters[index]}12${index}@d${index}.example` })),
      [['shape', 'aaaa999', 8]],
    ],
    [
      'one attack at one domain, from one network, with one shape',
      many(20, (index) => ({
        email: `abcd${100 + index}@d.example`,
        mailServer: 'd.example',
        ip: `203.0.113.${index}`,
      })),
      [['domain', 'd.example', 20]],
    ],
    [
      'one attack at four domains from one network',
      many(40, (index) => ({ email: `${shapeless(index)}@d${index % 4}.example`, ip: `203.0.113.${index}` })),
      [['network', '203.0.113.0/24', 40]],
    ],
    [
      'two attacks that share nothing',
      [...atDomain(9, 'one.example'), ...atDomain(8, 'two.example')].map((one, index) => ({
        ...one,
        ip: spread(index),
      })),
      [
        ['domain', 'one.example', 9],
        ['domain', 'two.example', 8],
      ],
    ],
    ['addresses at a public mail service', atDomain(50, 'gmail.com', { traits: publicMail }), []],
    ['addresses at an established domain', atDomain(50, 'big.example', { traits: established }), []],
    [
      'an office: nine in ten addresses of a network at established domains',
      many(20, (index) => ({
        email: `${shapeless(index)}@${index < 18 ? 'big' : `d${index}`}.example`,
        traits: index < 18 ? established : 0,
        ip: '203.0.113.9',
      })),
      [],
    ],
  ];
  for (const [what, signUps, expected] of kinds) {
    it(`${what} ${expected.length === 0 ? 'raise no wave' : 'raise one wave for each attack'} [D425 D437 D438]`, async () => {
      assert.deepEqual(await raised(signUps), expected);
    });
  }

  it('in the first hour of a busy environment, no value is compared with anything but its peers [D425 D440]', async () => {
    const simulation = await startWaveSimulation(db, startMs);
    const fromCarriers = many(600, (index) => ({
      email: `${shapeless(index)}@gmail.com`,
      traits: publicMail,
      ip: index % 2 === 0 ? `198.${index % 20}.0.9` : spread(index),
    }));
    assert.deepEqual(await raised(fromCarriers, simulation), []);
  });

  it('a value is compared with its own rate at this time of day [D425]', async () => {
    const simulation = await startWaveSimulation(db, startMs - 10 * dayMs);
    // Six addresses in this hour of each day, two in the one before.
    for (let day = 10; day > 0; day -= 1) {
      for (const hour of [-1, 0]) {
        const atMs = startMs - day * dayMs + hour * hourMs + 10 * minuteMs;
        const own = atDomain(hour === 0 ? 6 : 2, 'usual.example').map((one, index) => ({ ...one, ip: spread(index) }));
        await arrive(simulation, atMs, [...own, { email: `${shapeless(day)}@other-${day}-${hour}.example` }]);
      }
      simulation.at(startMs - day * dayMs + 4 * hourMs);
      simulation.signUp({ email: `${shapeless(day)}@later-${day}.example` });
      await simulation.round();
    }
    await arrive(simulation, startMs + 10 * minuteMs, atDomain(12, 'usual.example'));
    assert.deepEqual(await wavesOf(simulation), []);
    await arrive(simulation, startMs + 20 * minuteMs, atDomain(40, 'usual.example'));
    assert.deepEqual(
      (await wavesOf(simulation)).map(([kind, value]) => [kind, value]),
      [['domain', 'usual.example']],
    );
  });

  it('networks that rise together, with and without a rate, raise no wave [D425]', async () => {
    const simulation = await startWaveSimulation(db, startMs - 9 * dayMs);
    const from = (network: number, index: number): SignUp => ({
      email: `${shapeless(index)}.${network}@gmail.com`,
      traits: publicMail,
      ip: `${60 + network}.10.0.${index}`,
    });
    for (let day = 9; day > 0; day -= 1) {
      await arrive(
        simulation,
        startMs - day * dayMs,
        many(7, (network) => from(network, day)),
      );
      // The hour has ended.
      await arrive(simulation, startMs - day * dayMs + 2 * hourMs, []);
    }
    await arrive(
      simulation,
      startMs,
      many(14 * 15, (index) => from(index % 14, 20 + index)),
    );
    assert.deepEqual(await wavesOf(simulation), []);
  });

  it('an attack that rotates its domains is one wave, described by the mail server they share [D425]', async () => {
    const simulation = await known();
    for (const domain of [0, 1]) {
      const more = { mailServer: 'mail.example' };
      await arrive(simulation, startMs + domain * 50 * minuteMs, atDomain(9, `rotated-${domain}.example`, more));
    }
    assert.deepEqual(await wavesOf(simulation), [['domain', 'rotated-0.example', 18]]);
    await arrive(
      simulation,
      startMs + 100 * minuteMs,
      atDomain(9, 'rotated-2.example', { mailServer: 'mail.example' }),
    );
    assert.deepEqual(await wavesOf(simulation), [['mail_server', 'mail.example', 27]]);
    assert.deepEqual(simulation.events, ['began rotated-0.example']);
  });

  it('a slow attack is one wave after eight addresses in a day [D439]', async () => {
    const simulation = await known();
    for (let index = 0; index < 20; index += 1)
      await arrive(simulation, startMs + index * 2 * hourMs, [{ email: `${shapeless(index)}@slow.example` }]);
    assert.deepEqual(await wavesOf(simulation), [['domain', 'slow.example', 20]]);
  });

  it('a company with twelve addresses a day from the first day on raises no slow wave', async () => {
    const simulation = await startWaveSimulation(db, startMs);
    for (let index = 0; index < 36; index += 1) {
      const atMs = startMs + index * 2 * hourMs;
      await arrive(simulation, atMs, [{ email: `${shapeless(index)}@company.example` }]);
      // The hour of the address has ended.
      await arrive(simulation, atMs + 65 * minuteMs, []);
    }
    assert.deepEqual(await wavesOf(simulation), []);
  });

  it('an import of old sign-ups raises no wave, neither meanwhile nor later that day [D440]', async () => {
    const simulation = await known();
    const at = (index: number): SignUp => ({ email: `${shapeless(index)}@company-${index % 150}.example` });
    for (let part = 0; part < 10; part += 1)
      await arrive(
        simulation,
        startMs + part * 5 * minuteMs,
        many(300, (index) => at(part * 300 + index)),
      );
    for (let hour = 1; hour < 4; hour += 1) {
      simulation.at(startMs + hour * hourMs + 5 * minuteMs);
      await simulation.round();
    }
    await arrive(
      simulation,
      startMs + 4 * hourMs,
      many(5, (index) => at(3_000 + index)),
    );
    assert.deepEqual(await wavesOf(simulation), []);
  });

  it('after the verdict fine the same value raises no wave for 30 days [D422]', async () => {
    const simulation = await known();
    await arrive(simulation, startMs, atDomain(8, 'fine.example'));
    const [wave] = await simulation.waves();
    const author: Author = { ...simulation.owner, by: { kind: 'service', id: 'test', from: null } };
    const store = createWavesStore(db);
    await store.judge(author, wave?.id ?? '', 'fine', startMs + 30 * dayMs, startMs);
    for (const days of [2, 29]) {
      await arrive(simulation, startMs + days * dayMs, atDomain(9, 'fine.example', { ip: '203.0.113.9' }));
      assert.equal((await simulation.waves()).length, 1);
    }
    await arrive(simulation, startMs + 31 * dayMs, atDomain(9, 'fine.example'));
    assert.equal((await simulation.waves()).length, 2);
  });

  it('a round that failed examines the same rows when it is repeated', async () => {
    const { monitoring } = createDetectionStore(db);
    let failures = 1;
    const simulation = await startWaveSimulation(db, startMs, undefined, 0, {
      monitoring(...given) {
        if (failures-- > 0) throw new Error('storage is unavailable');
        return monitoring(...given);
      },
    });
    await assert.rejects(arrive(simulation, startMs, atDomain(8, 'retried.example')), /storage is unavailable/);
    simulation.at(startMs + minuteMs);
    await simulation.round();
    assert.deepEqual(await wavesOf(simulation), [['domain', 'retried.example', 8]]);
  });

  it('a wave that one process detects is named by the process that counted it, once [D425]', async () => {
    const one = await startWaveSimulation(db, startMs);
    const two = await startWaveSimulation(db, startMs, one.owner);
    for (const [index, signUp] of atDomain(8, 'shared.example').entries()) {
      (index % 2 === 0 ? one : two).signUp(signUp);
    }
    await one.round();
    await two.round();
    assert.deepEqual(await wavesOf(two), [['domain', 'shared.example', 8]]);
    assert.deepEqual([...one.events, ...two.events], ['began shared.example']);
  });

  it('another process continues an open wave without counting a decision twice', async () => {
    const simulation = await known();
    await arrive(simulation, startMs, atDomain(8, 'over.example'));
    const next = await startWaveSimulation(db, startMs + minuteMs, simulation.owner);
    await arrive(next, startMs + minuteMs, [{ email: 'ninth@over.example' }, { email: 'a.0@over.example' }]);
    const [wave, ...others] = await next.waves();
    assert.deepEqual([wave?.addresses, wave?.allow, others.length], [9, 10, 0]);
  });

  it('a network wave that neighbouring networks join is named after their common block [D425]', async () => {
    const simulation = await known();
    const values: unknown[] = [];
    for (const [round, third] of [113, 114, 115].entries()) {
      const signUps = many(9, (index) => ({
        email: `${shapeless(20 * round + index)}.${round}@gmail.com`,
        traits: publicMail,
        ip: `203.0.${third}.${index}`,
      }));
      await arrive(simulation, startMs + round * minuteMs, signUps);
      values.push(...(await wavesOf(simulation)));
    }
    assert.deepEqual(values, [
      ['network', '203.0.113.0/24', 9],
      ['network', '203.0.112.0/22', 18],
      ['network', '203.0.112.0/22', 27],
    ]);
  });

  it('a wave keeps a value that all its decisions share, though only a wider one is above its threshold', async () => {
    const simulation = await known();
    const fromServer = (index: number, local: string, normalized = local): SignUp => ({
      email: `${local}@d${index % 3}.example`,
      normalized: `${normalized}@d${index % 3}.example`,
      mailServer: 'mail.example',
      ip: '198.51.100.7',
    });
    await arrive(
      simulation,
      startMs,
      many(9, (index) => fromServer(index, shapeless(index))),
    );
    assert.deepEqual(await wavesOf(simulation), [['mail_server', 'mail.example', 9]]);
    // Three spellings each of six addresses: the network counts 18 spellings.
    const spellings = many(18, (index) => fromServer(index, `${shapeless(index % 6)}+${index}`, shapeless(index % 6)));
    await arrive(simulation, startMs + 61 * minuteMs, spellings);
    assert.deepEqual(await wavesOf(simulation), [['mail_server', 'mail.example', 9]]);
  });
});
