import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { testClock } from '../../../test/start-app.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../../db/db.ts';
import { createSignInAttemptsStore } from './sign-in-attempts-store.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';

const groupOf = (ip: string): string => ip.split(':').slice(0, 4).join(':');

await describeEngines('the sign-in throttle', (fresh) => {
  let options: DatabaseOptions;
  let dbs: readonly [Db, Db];
  before(async () => {
    options = await fresh();
    dbs = [await openDatabase(options), await openDatabase(options)];
  });
  after(() => Promise.all(dbs.map((db) => db.close())));

  let people = 0;
  /** A new client, and two processes that count its attempts. */
  const setUp = () => {
    const clock = testClock(1_800_000_000_000);
    const [throttle, other] = dbs.map((db) => createSignInThrottle(createSignInAttemptsStore(db), groupOf, clock.now));
    assert.ok(throttle && other);
    people += 1;
    return { clock, throttle, other, email: `jane${people}@example.com`, ip: `192.0.2.${people}` };
  };

  it('the sign-in throttle doubles the wait after each failed attempt, up to fifteen minutes', async () => {
    const { clock, throttle, email, ip } = setUp();
    const waits: number[] = [];
    for (let tries = 0; tries < 16; tries += 1) {
      const wait = await throttle.begin(email, ip);
      if (wait === 0) continue;
      assert.equal((await throttle.stateOf(email, ip)).waitSeconds, wait);
      waits.push(wait);
      clock.advance(wait * 1_000);
      assert.equal(await throttle.begin(email, ip), 0);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('the sign-in throttle counts attempts of two processes together', async () => {
    const { throttle, other, email, ip } = setUp();
    const both = Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? throttle : other));
    const waits = await Promise.all(both.map((one) => one.begin(email, ip)));
    assert.equal(waits.filter((wait) => wait === 0).length, 3);
  });

  it('the sign-in throttle shares known networks between processes', async () => {
    const { throttle, other, email, ip } = setUp();
    assert.equal(await throttle.begin(email, ip), 0);
    await throttle.succeeded(email, ip);
    for (let place = 0; place < 10; place += 1)
      assert.equal(await other.begin(email, `2001:db8:${place}:${people}`), 0);
    assert.equal((await throttle.stateOf(email, '203.0.113.1')).waitSeconds, 1);
    assert.deepEqual(await other.stateOf(email, ip), { waitSeconds: 0, isKnown: true });
    assert.equal((await other.stateOf(email, '203.0.113.1')).isKnown, false);
  });

  it('the sign-in throttle knows a network without an attempt, for thirty days', async () => {
    const { clock, throttle, other, email, ip } = setUp();
    await throttle.remember(email, ip);
    assert.equal((await other.stateOf(email, ip)).isKnown, true);
    clock.advance(30 * 86_400_000);
    assert.equal((await other.stateOf(email, ip)).isKnown, false);
  });

  it('the sign-in throttle resets failed attempts after an hour', async () => {
    const { clock, throttle, email, ip } = setUp();
    for (let tries = 0; tries < 3; tries += 1) await throttle.begin(email, ip);
    assert.equal(await throttle.begin(email, ip), 1);
    clock.advance(3_600_001);
    assert.equal(await throttle.begin(email, ip), 0);
    assert.equal(await throttle.begin(email, ip), 0);
  });

  it('the sign-in throttle does not extend a wait when the clock is set back', async () => {
    const { clock, throttle, email, ip } = setUp();
    for (let tries = 0; tries < 3; tries += 1) await throttle.begin(email, ip);
    clock.set(clock.now() - 86_400_000);
    assert.equal((await throttle.stateOf(email, ip)).waitSeconds, 1);
  });

  it('the sign-in throttle counts a network as one client', async () => {
    const { throttle, email } = setUp();
    for (let tries = 0; tries < 3; tries += 1) await throttle.begin(email, `2001:db8:0:1:${tries}::1`);
    assert.equal(await throttle.begin(email, '2001:db8:0:1:ffff::1'), 1);
    assert.equal(await throttle.begin(email, '2001:db8:0:2::1'), 0);
  });

  it('the sign-in throttle stores no addresses, and removes expired counts', async () => {
    const { clock, throttle, email, ip } = setUp();
    await throttle.begin(email, ip);
    const rows = () => dbs[0].read.selectFrom('sign_in_tries').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(await rows()), /jane|192\.0\.2/);
    clock.advance(31 * 86_400_000);
    await throttle.prune();
    assert.deepEqual(await rows(), []);
  });
});
