import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type MadeSignUp, type SignUp, startWaveSimulation, type WaveSimulation } from '../../test/wave-simulation.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Author } from '../http/endpoint.ts';
import { trait } from '../traffic/observation.ts';
import { createWavesStore } from './waves-store.ts';

const startMs = Date.UTC(2026, 10, 2, 9);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const many = (count: number, make: (index: number) => SignUp): SignUp[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Local parts of different shapes. */
const shapeless = (index: number): string => `${'abcdefghijklmnopqrstuvwxyz'.slice(0, 1 + (index % 20))}.${index}`;
const atDomain = (count: number, domain: string, more: Partial<SignUp> = {}): SignUp[] =>
  many(count, (index) => ({ email: `${shapeless(index)}@${domain}`, ...more }));

await describeEngines('decisions that belong to a wave', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  /** Sign-ups so far apart from a moment on, and a round after them. */
  const arrive = async (run: WaveSimulation, fromMs: number, signUps: readonly SignUp[], apartMs = 1_000) => {
    const made: MadeSignUp[] = [];
    run.at(fromMs);
    for (const [index, one] of signUps.entries()) {
      run.at(fromMs + index * apartMs);
      made.push(run.signUp(one));
    }
    await run.round();
    return made;
  };
  /** An environment that is known for so many days, with a sign-up at a new domain every two hours. */
  const known = async (days: number): Promise<WaveSimulation> => {
    const run = await startWaveSimulation(db, startMs - days * dayMs);
    for (let hours = 24 * days; hours > 0; hours -= 2)
      await arrive(run, startMs - hours * hourMs, [{ email: `a@known-${hours}.example`, traits: trait.fresh }]);
    return run;
  };
  const named = async (run: WaveSimulation) => (await run.waves()).map(({ kind, value }) => `${kind} ${value}`);
  const judgeFine = async (run: WaveSimulation, id: string | undefined) => {
    const author: Author = { ...run.owner, by: { kind: 'service', id: 'test', from: null } };
    await createWavesStore(db).judge(author, id ?? '', 'fine', startMs + 30 * dayMs, startMs);
  };

  it('a decision at a domain that was judged fine belongs to no wave of its mail server or network [D422]', async () => {
    const run = await known(2);
    const shared = { mailServer: 'mail.example', ip: '203.0.113.9' };
    await arrive(run, startMs, atDomain(8, 'fine.example', shared));
    await judgeFine(run, (await run.waves())[0]?.id);
    await arrive(
      run,
      startMs + 10 * minuteMs,
      many(12, (index) => ({ email: `${shapeless(index)}@d${index % 3}.example`, ...shared })),
    );
    assert.deepEqual(await named(run), ['domain fine.example', 'mail_server mail.example']);
    const [fine, other] = await arrive(run, startMs + 12 * minuteMs, [
      { email: 'new@fine.example', ...shared },
      { email: 'new@d7.example', ...shared },
    ]);
    assert.deepEqual([fine?.waveId, typeof other?.waveId], [null, 'string']);
    const wider = (await run.waves()).find(({ kind }) => kind === 'mail_server');
    assert.equal(wider?.addresses, 13);
  });

  it('an autonomous system that was judged fine raises no wave of its networks together [D422]', async () => {
    const run = await known(2);
    const from = (index: number): SignUp => ({
      email: `${shapeless(index)}@gmail.com`,
      traits: trait.public,
      ip: `${60 + (index % 3)}.0.113.${index % 250}`,
      asn: 64_500,
    });
    await arrive(run, startMs, many(30, from));
    assert.deepEqual(await named(run), ['network AS64500']);
    await judgeFine(run, (await run.waves())[0]?.id);
    await arrive(
      run,
      startMs + 3 * dayMs,
      many(30, (index) => from(index + 60)),
    );
    assert.deepEqual(await named(run), ['network AS64500']);
  });

  const newDomains = many(40, (index) => ({ email: `${shapeless(index)}@n${index}.example`, traits: trait.fresh }));

  it('many new domains are a wave from the eighth day on [D425]', async () => {
    const run = await known(9);
    await arrive(run, startMs, newDomains);
    assert.deepEqual(await named(run), ['new_domains new domains']);
    const [wave] = await run.waves();
    assert.deepEqual([wave?.addresses, wave?.domains], [40, 40]);
    const [fresh, seen] = await arrive(run, startMs + minuteMs, [
      { email: 'x@another.example', traits: trait.fresh },
      { email: 'x@seen-before.example' },
    ]);
    assert.deepEqual([fresh?.waveId, seen?.waveId], [wave?.id, null]);
  });

  it('many new domains are no wave on the sixth day [D425]', async () => {
    const run = await known(5);
    await arrive(run, startMs, newDomains);
    assert.deepEqual(await named(run), []);
  });

  it('a wave is stopped when none of its decisions in ten minutes was allowed, until one is [D421]', async () => {
    const run = await known(2);
    const isStopped = async () => (await run.waves())[0]?.isStopped;
    await arrive(run, startMs, atDomain(8, 'stopped.example'));
    assert.equal(await isStopped(), false);
    const later = (count: number, action: 'allow' | 'block' | 'challenge'): SignUp[] =>
      many(count, (index) => ({ email: `${action}${index}@stopped.example`, action }));
    await arrive(run, startMs + minuteMs, later(9, 'challenge'), minuteMs);
    assert.equal(await isStopped(), false);
    await arrive(run, startMs + 11 * minuteMs, later(3, 'block'), minuteMs);
    assert.equal(await isStopped(), true);
    await arrive(run, startMs + 15 * minuteMs, later(1, 'allow'));
    assert.equal(await isStopped(), false);
  });

  it('a process that starts after a wave has ended does not raise it again', async () => {
    const run = await known(2);
    await arrive(run, startMs, atDomain(9, 'ended.example'));
    // The second round is the first after its end.
    for (const minutes of [121, 122])
      await arrive(run, startMs + minutes * minuteMs, [{ email: `a@x${minutes}.example` }]);
    assert.deepEqual(run.events.slice(0, 2), ['began ended.example', 'ended ended.example']);
    const next = await startWaveSimulation(db, startMs + 3 * hourMs, run.owner);
    await arrive(next, startMs + 3 * hourMs, [{ email: 'a@another.example' }]);
    // The process does not know the value in plain text: its wave would have no name yet, and would not be listed.
    const stored = db.read.selectFrom('waves').select('id').where('account_id', '=', run.owner.accountId);
    assert.equal((await stored.execute()).length, 1);
  });
});
