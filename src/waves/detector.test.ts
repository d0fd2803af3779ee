import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type SignUp, startWaveSimulation, type WaveSimulation } from '../../test/wave-simulation.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Author } from '../http/endpoint.ts';
import { createWavesStore } from './waves-store.ts';

const startMs = Date.UTC(2026, 10, 2, 9);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const publicMail = 1;
const established = 2;

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Local parts of different shapes. */
const shapeless = (index: number): string => `${letters.slice(0, 1 + (index % 20))}.${index}`;
const many = (count: number, make: (index: number) => SignUp): SignUp[] =>
  Array.from({ length: count }, (_, index) => make(index));
const atDomain = (count: number, domain: string, more: Partial<SignUp> = {}): SignUp[] =>
  many(count, (index) => ({ email: `${shapeless(index)}@${domain}`, ...more }));
const spread = (index: number): string => `198.${index >> 8}.${index & 255}.9`;

await describeEngines('the detection of waves', (fresh) => {
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
      many(8, (index) => ({ email: `${shapeless(index)}@gmail.com`, standing: publicMail, ip: `203.0.113.${index}` })),
      [['network', '203.0.113.0/24', 8]],
    ],
    [
      'eight addresses from one IPv6 network',
      many(8, (index) => ({
        email: `${shapeless(index)}@gmail.com`,
        standing: publicMail,
        ip: `2001:db8:5:${index}::1`,
      })),
      [['network', '2001:db8:5::/48', 8]],
    ],
    [
      'eight addresses from one network, seven of them at established domains',
      many(8, (index) => ({
        email: `${shapeless(index)}@${index === 0 ? 'gmail.com' : `company-${index}.example`}`,
        standing: index === 0 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [],
    ],
    [
      'a conference: 20 addresses of a network, five of the first by chance at public mail services, the others at established domains',
      many(20, (index) => ({
        email: `${shapeless(index)}@${index < 5 ? 'gmail.com' : `company-${index}.example`}`,
        standing: index < 5 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [],
    ],
    [
      'ten addresses from one network, half of them at established domains',
      many(10, (index) => ({
        email: `${shapeless(index)}@${index < 5 ? 'gmail.com' : `company-${index}.example`}`,
        standing: index < 5 ? publicMail : established,
        ip: `203.0.113.${index}`,
      })),
      [['network', '203.0.113.0/24', 10]],
    ],
    [
      'eight spellings of one mailbox from one network',
      many(8, (index) => ({
        email: `jane+${index}@gmail.com`,
        normalized: 'jane@gmail.com',
        standing: publicMail,
        ip: '203.0.113.9',
      })),
      [['network', '203.0.113.0/24', 8]],
    ],
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
    ['addresses at a public mail service', atDomain(50, 'gmail.com', { standing: publicMail }), []],
    ['addresses at an established domain', atDomain(50, 'big.example', { standing: established }), []],
    [
      'an office: nine in ten addresses of a network at established domains',
      many(20, (index) => ({
        email: `${shapeless(index)}@${index < 18 ? 'big' : `d${index}`}.example`,
        standing: index < 18 ? established : 0,
        ip: '203.0.113.9',
      })),
      [],
    ],
  ];
  for (const [what, signUps, expected] of kinds) {
    it(`${what} ${expected.length === 0 ? 'raise no wave' : 'raise one wave for each attack'} [D425]`, async () => {
      assert.deepEqual(await raised(signUps), expected);
    });
  }

  it('a network needs 20 in the first 24 hours of an environment [D425]', async () => {
    const simulation = await startWaveSimulation(db, startMs);
    const from = (index: number): SignUp => ({
      email: `${shapeless(index)}@gmail.com`,
      standing: publicMail,
      ip: '203.0.113.9',
    });
    assert.deepEqual(await raised(many(19, from), simulation), []);
    await arrive(simulation, startMs + minuteMs, [from(19)]);
    assert.deepEqual(await wavesOf(simulation), [['network', '203.0.113.0/24', 20]]);
  });

  it('a value is compared with its usual rate of the last seven days [D425]', async () => {
    const simulation = await known();
    for (let hour = 0; hour < 24; hour += 1)
      await arrive(
        simulation,
        startMs + hour * hourMs + 10 * minuteMs,
        atDomain(6, 'usual.example', { ip: spread(hour) }),
      );
    const nextMs = startMs + 26 * hourMs;
    simulation.at(startMs + 24 * hourMs + minuteMs);
    await simulation.round();
    const usual = (6 * 24) / (2 * 24 + 25);
    const enough = Math.ceil(5 * usual);
    assert.ok(enough > 8);
    await arrive(simulation, nextMs, atDomain(enough - 1, 'usual.example'));
    assert.deepEqual(await wavesOf(simulation), []);
    await arrive(simulation, nextMs + minuteMs, [{ email: 'one.more@usual.example' }]);
    const [wave] = await simulation.waves();
    assert.deepEqual([wave?.addresses, wave?.usualPerHour], [enough, Math.round(usual * 100) / 100]);
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

  it('a slow attack is one wave after eight addresses in a day', async () => {
    const simulation = await known();
    for (let index = 0; index < 20; index += 1)
      await arrive(simulation, startMs + index * 2 * hourMs, [{ email: `${shapeless(index)}@slow.example` }]);
    assert.deepEqual(await wavesOf(simulation), [['domain', 'slow.example', 8]]);
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

  it('an import of old sign-ups raises no wave, neither meanwhile nor later that day', async () => {
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
});
