import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languageNames } from '../../../../snippets/language-names.ts';
import { languages } from '../../../../snippets/languages.ts';
import type { PageEntry } from '../../pages/all.ts';
import { commandsFor, type PaletteWorld } from './commands.ts';

const page = (path: string, title: string): PageEntry => ({
  path,
  title,
  letter: path[0] ?? '',
  icon: path as PageEntry['icon'],
  routes: {},
});

const world: PaletteWorld = {
  environment: 'staging',
  pages: [page('lookup', 'Look up'), page('log', 'Log'), page('blocklist', 'Blocklist')],
  gates: [{ id: 'g1', name: 'Sign-up' }],
  lists: [{ id: 'l1', name: 'Customers' }],
  waves: [{ id: 'w1', value: 'blorpbox.example' }],
  actions: [
    { id: 'invite', label: 'Add a user…', words: 'invite', group: 'Actions', icon: 'user', href: '/staging/settings' },
  ],
  block: () => {},
  reference: [
    { title: 'Report outcomes', hint: 'POST /v1/outcomes', href: 'docs#reportOutcomes' },
    { title: 'Waves', hint: 'Guide', href: 'docs/waves' },
  ],
};

const hrefs = (text: string) => commandsFor(text, world).map(({ href }) => href);

describe('the palette', () => {
  it('the palette offers for a pasted address its page, to look it up, find it and block its domain, in the environment of the page', () => {
    const blocked: string[] = [];
    const commands = commandsFor('joe@mailinator.com', { ...world, block: (domain) => blocked.push(domain) });
    assert.deepEqual(
      commands.map(({ href }) => href),
      [
        '/staging/log/person/joe%40mailinator.com',
        '/staging/lookup?q=joe%40mailinator.com',
        '/staging/log?q=joe%40mailinator.com',
        undefined,
      ],
    );
    commands.at(-1)?.run?.();
    assert.deepEqual(blocked, ['mailinator.com']);
  });

  it('the palette finds the decisions that allowed a pasted domain', () => {
    assert.ok(hrefs('mailinator.com').includes('/staging/log?q=mailinator.com&action=allow'));
  });

  it('the palette opens the code of a gate in a language that samples exist in', () => {
    assert.deepEqual(hrefs('sign-up python'), ['/staging/gates/g1/use-it?language=Python']);
    assert.deepEqual(
      languages.map(({ name }) => name),
      languageNames,
    );
  });

  it('the palette finds an IP address in the log, and opens a decision by its id', () => {
    assert.deepEqual(hrefs('2001:db8::1'), ['/staging/log?q=2001%3Adb8%3A%3A1']);
    const id = '01KA1B2C3D4E5F6G7H8J9K0M1N';
    assert.deepEqual(hrefs(id), [`/staging/log/${id}`, `/staging/log?q=${id}`]);
  });

  it('the palette finds custom lists by name, waves by value and actions by other words for them', () => {
    assert.deepEqual(hrefs('custom'), ['/staging/custom-lists/l1']);
    assert.ok(hrefs('blorpbox').includes('/staging/waves/w1'));
    assert.ok(!hrefs('').includes('/staging/waves/w1'));
    assert.deepEqual(hrefs('invite'), ['/staging/settings']);
  });

  it('the palette finds pages and gates by parts of their names, in any order of words', () => {
    assert.deepEqual(hrefs('sign'), ['/staging/gates/g1']);
    assert.deepEqual(hrefs('up look'), ['/staging/lookup']);
    assert.deepEqual(hrefs('no such thing'), []);
  });

  it('the palette finds calls of the reference by name and route, and nothing of it before a word is typed', () => {
    const labels = (text: string) => commandsFor(text, world).map(({ label }) => label);
    assert.deepEqual(labels('post outcomes'), ['Report outcomes']);
    assert.deepEqual(labels('guide waves'), ['Waves']);
    assert.deepEqual(
      commandsFor('waves', world).map(({ hint }) => hint),
      ['Guide'],
    );
    assert.equal(commandsFor('post outcomes', world)[0]?.hint, 'POST');
    assert.ok(!labels('').includes('Waves'));
  });

  it('the palette offers the other environments, not the one that is open', () => {
    assert.deepEqual(hrefs('switch'), ['/production/overview', '/development/overview']);
  });
});
