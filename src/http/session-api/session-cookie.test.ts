import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionCookie } from './session-cookie.ts';

const cookie = sessionCookie('ab12');

describe('the session cookie', () => {
  it('is read from among other cookies', () => {
    assert.equal(cookie.read('theme=dark; signalpost_ab12=token; other=1', false), 'token');
  });

  const absent: readonly (readonly [string, string | undefined, boolean])[] = [
    ['no header', undefined, false],
    ['an empty header', '', false],
    ['an empty value', 'signalpost_ab12=', false],
    ['the cookie of another installation', 'signalpost_cd34=token', false],
    ['the plain name over TLS, which any host of the domain may set', 'signalpost_ab12=token', true],
    ['the protected name over plain HTTP', '__Host-signalpost_ab12=token', false],
  ];
  for (const [name, header, isSecure] of absent) {
    it(`is absent in ${name}`, () => assert.equal(cookie.read(header, isSecure), null));
  }

  it('is bound to its host over TLS', () => {
    const written = cookie.write('token', true);
    assert.match(
      written,
      /^__Host-signalpost_ab12=token; Path=\/; Secure; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(cookie.read(written.split(';')[0], true), 'token');
  });

  it('is limited to the path of the endpoints over plain HTTP', () => {
    assert.match(cookie.write('token', false), /^signalpost_ab12=token; Path=\/console\/api; Max-Age/);
  });

  it('is removed by an empty value that expires immediately', () => {
    assert.match(cookie.write(null, false), /^signalpost_ab12=; .*Max-Age=0;/);
  });
});
