import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRouter } from './router.ts';

const route = (method: string, path: string, reserved?: true) => ({ method, path, reserved, serve: () => {} });
const router = createRouter([
  route('GET', '/status'),
  route('GET', '/domain/{domain}'),
  route('POST', '/gates'),
  route('GET', '/gates/{gate_id}'),
  route('PATCH', '/gates/{id}'),
  route('POST', '/gates/import'),
  route('GET', '/gates/summary', true),
  route('GET', '/gates/{gate_id}/rules/{rule_id}'),
  route('DELETE', '/gates/all/rules/{rule_id}'),
  route('GET', '/console'),
  route('GET', '/console/*'),
]);
const found = (method: string, path: string) => {
  const answer = router.find(method, path);
  return answer === null ? null : [answer.route.path, answer.params];
};

describe('the router', () => {
  it('the router gives the decoded values of a path by the names that its route has for them', () => {
    assert.deepEqual(found('GET', '/domain/a%2Fb.com'), ['/domain/{domain}', { domain: 'a/b.com' }]);
    assert.deepEqual(found('PATCH', '/gates/1'), ['/gates/{id}', { id: '1' }]);
    const values = { gate_id: '1', rule_id: '2' };
    assert.deepEqual(found('GET', '/gates/1/rules/2'), ['/gates/{gate_id}/rules/{rule_id}', values]);
  });

  it('the router gives a NUL for every percent sign of a path with an invalid percent sequence [D7]', () => {
    for (const sent of ['%', '%zz', 'a%ff', 'a%C3', '%2525%']) {
      const domain = sent.replaceAll('%', '\0');
      assert.deepEqual(found('GET', `/domain/${sent}`), ['/domain/{domain}', { domain }]);
    }
  });

  it('the router takes an empty value for a value, and a path with a segment more or less for another', () => {
    assert.deepEqual(found('GET', '/domain/'), ['/domain/{domain}', { domain: '' }]);
    for (const path of ['/domain', '/domain/a/', '/domain/a/b', '/status/', '//status', '/Status', 'status', '', '*']) {
      assert.equal(found('GET', path), null, path);
    }
  });

  it('the router finds a fixed segment that is sent encoded', () => {
    assert.deepEqual(found('GET', '/%73tatus'), ['/status', {}]);
  });

  it('the router prefers a fixed segment to a value, and goes back to the value where the fixed one leads nowhere', () => {
    assert.deepEqual(found('POST', '/gates/import'), ['/gates/import', {}]);
    assert.deepEqual(found('GET', '/gates/import'), ['/gates/{gate_id}', { gate_id: 'import' }]);
    assert.deepEqual(found('GET', '/gates/all/rules/1')?.[0], '/gates/{gate_id}/rules/{rule_id}');
    assert.deepEqual(router.methodsOf('/gates/import'), ['POST', 'GET', 'HEAD', 'PATCH']);
  });

  it('the router takes a segment that is no value for nothing else, whatever the method', () => {
    assert.deepEqual(found('GET', '/gates/summary'), ['/gates/summary', {}]);
    assert.equal(found('PATCH', '/gates/summary'), null);
    assert.deepEqual(router.methodsOf('/gates/summary'), ['GET', 'HEAD']);
  });

  it('the router answers HEAD where there is GET', () => {
    assert.deepEqual(found('HEAD', '/status'), ['/status', {}]);
    assert.equal(found('HEAD', '/gates'), null);
  });

  it('the router gives unclaimed paths below a prefix to its catch-all route, with the rest of the path', () => {
    assert.deepEqual(found('GET', '/console/assets/a%20b.js'), ['/console/*', { rest: 'assets/a b.js' }]);
    assert.deepEqual(found('GET', '/console'), ['/console', {}]);
    assert.equal(found('POST', '/console/assets'), null);
    assert.equal(found('GET', '/consoles'), null);
    assert.deepEqual(router.methodsOf('/console/assets'), []);
  });

  it('the router refuses two routes for the same requests', () => {
    assert.throws(
      () => createRouter([route('GET', '/a/{b}'), route('GET', '/a/{c}')]),
      /two routes are GET \/a\/\{c\}/,
    );
  });
});
