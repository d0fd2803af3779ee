import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confirmedText, effectText, gotIn, sharedText, sizeText, stateText, usualText } from './waves.ts';

describe('texts about waves', () => {
  it('say how many of a wave got in', () => {
    assert.equal(gotIn({ allow: 0, block: 60, challenge: 0 }), 'No sign-up got in');
    assert.equal(gotIn({ allow: 12, block: 0, challenge: 0 }), 'All 12 sign-ups got in');
    assert.equal(gotIn({ allow: 31, block: 20, challenge: 9 }), '31 of 60 sign-ups got in');
  });

  it('name what its addresses share and how many there are', () => {
    assert.equal(sharedText({ kind: 'network', value: '203.0.113.0/24' }), 'from 203.0.113.0/24');
    assert.equal(sizeText({ addresses: 60, domains: 1, ips: 0 }), '60 addresses at 1 domain');
    assert.equal(sizeText({ addresses: 1, domains: 12, ips: 1 }), '1 address at 12 domains from 1 IP address');
  });

  it('state what the rule would have matched', () => {
    assert.equal(
      effectText({ stops: 60, touches: 0, evaluated: 900, complete: true }),
      'It matches 60 decisions of the wave and no other decision in 30 days.',
    );
    assert.equal(
      effectText({ stops: 1, touches: 3, evaluated: 10_000, complete: false }),
      'It matches 1 decision of the wave and 3 other decisions of the newest 10,000.',
    );
  });

  it('state what stops it, how it was judged and how its members turned out', () => {
    const wave = {
      id: 'w',
      kind: 'domain',
      value: 'd.example',
      slow: false,
      stopped: false,
      state: 'open',
      began_at: '2026-11-15T03:01:00+00:00',
      last_at: '2026-11-15T03:40:00+00:00',
      ended_at: null,
      addresses: 60,
      confirmed_bad: 0,
      confirmed_good: 0,
      domains: 1,
      ips: 60,
      allow: 9,
      block: 212,
      challenge: 0,
      usual_per_hour: 0,
      verdict: null,
      created_at: '2026-11-15T03:08:00+00:00',
    } as const;
    const by = [{ rule: { name: 'X' }, since: new Date(2026, 10, 15, 3, 14).toISOString(), turned_away: 212 }];
    assert.equal(stateText({ ...wave, stopped_by: [] }), '9 of 221 sign-ups got in');
    assert.equal(
      stateText({ ...wave, stopped: true, stopped_by: by }, new Date(2026, 10, 15, 9).getTime()),
      'Stopped by rule “X” since 03:14, 212 turned away',
    );
    assert.equal(
      stateText({ ...wave, stopped: true, stopped_by: by }, new Date(2026, 10, 16, 9).getTime()),
      'Stopped by rule “X” since 15 Nov, 03:14, 212 turned away',
    );
    assert.equal(
      stateText({ ...wave, stopped_by: by }, new Date(2026, 10, 15, 4).getTime()),
      '9 of 221 sign-ups got in; 212 turned away by rule “X” since 03:14',
    );
    assert.equal(stateText({ ...wave, state: 'ended', stopped_by: [] }), 'Ended: 9 of 221 sign-ups got in');
    assert.match(stateText({ ...wave, verdict: 'fine', stopped_by: by }), /^Judged fine/);
    assert.equal(confirmedText(wave), null);
    assert.equal(confirmedText({ confirmed_bad: 3, confirmed_good: 1 }), '3 reported bad, 1 reported good');
  });

  it('compare it with the usual rate', () => {
    assert.equal(usualText({ usual_per_hour: 0 }), 'There were none in the week before.');
    assert.equal(usualText({ usual_per_hour: 0.04 }), 'Usual: less than 0.1 addresses per hour.');
    assert.equal(usualText({ usual_per_hour: 1.25 }), 'Usual: 1.3 addresses per hour.');
  });
});
