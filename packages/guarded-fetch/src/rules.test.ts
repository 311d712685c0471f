import { UtensilError } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import type { GuardOptions } from './options.ts';
import { limitsOf } from './options.ts';
import { createRules, parseUrl } from './rules.ts';

/** Verdict on an address: undefined, or the error code. */
function verdict(address: string, options: GuardOptions = {}): string {
  try {
    createRules(options).check(parseUrl(address));
    return 'ok';
  } catch (error) {
    return error instanceof UtensilError ? error.code : String(error);
  }
}

describe('hosts', () => {
  it.each([
    ['https://example.com/', { allowHosts: ['example.com'] }, 'ok'],
    ['https://EXAMPLE.com./', { allowHosts: ['example.com'] }, 'ok'],
    ['https://www.example.com/', { allowHosts: ['example.com'] }, 'fetch_blocked'],
    ['https://www.example.com/', { allowHosts: ['*.example.com'] }, 'ok'],
    ['https://a.b.example.com/', { allowHosts: ['*.example.com'] }, 'ok'],
    ['https://example.com/', { allowHosts: ['*.example.com'] }, 'fetch_blocked'],
    ['https://badexample.com/', { allowHosts: ['*.example.com'] }, 'fetch_blocked'],
    ['https://example.com.evil.net/', { allowHosts: ['example.com', '*.example.com'] }, 'fetch_blocked'],
    ['https://example.com/', { allowHosts: [] }, 'fetch_blocked'],
    ['https://münchen.de/', { allowHosts: ['xn--mnchen-3ya.de'] }, 'ok'],
    ['https://xn--mnchen-3ya.de/', { allowHosts: ['MÜNCHEN.de'] }, 'ok'],
    ['https://example.com/', { allowHosts: ['example.com:443'] }, 'ok'],
    ['https://example.com:8443/', { allowHosts: ['example.com:443'] }, 'fetch_blocked'],
    ['https://example.com/', { denyHosts: ['example.com'] }, 'fetch_blocked'],
    ['https://example.com./', { denyHosts: ['example.com'] }, 'fetch_blocked'],
    ['https://ex%61mple.com/', { denyHosts: ['example.com'] }, 'fetch_blocked'],
    ['https://a.example.com/', { denyHosts: ['*.example.com'], allowHosts: ['a.example.com'] }, 'fetch_blocked'],
    ['https://example.org/', { denyHosts: ['*.example.com'] }, 'ok'],
    ['http://127.0.0.1/', { allowHosts: ['127.0.0.1'] }, 'fetch_blocked'],
    ['http://127.0.0.1/', { allowPrivate: ['127.0.0.1'] }, 'ok'],
    ['http://2130706433:8080/', { allowPrivate: ['127.0.0.1:8080'] }, 'ok'],
    ['http://127.0.0.1:8081/', { allowPrivate: ['127.0.0.1:8080'] }, 'fetch_blocked'],
    ['http://[0:0::1]:8080/', { allowPrivate: ['[::1]:8080'] }, 'ok'],
    ['http://wiki.corp.internal/', { allowPrivate: ['*.corp.internal'] }, 'ok'],
    [
      'http://wiki.corp.internal/',
      { allowPrivate: ['*.corp.internal'], denyHosts: ['wiki.corp.internal'] },
      'fetch_blocked',
    ],
    ['http://localhost:3000/', { allowPrivate: ['localhost:3000'] }, 'ok'],
    ['http://localhost:3000/', { allowPrivate: ['127.0.0.1:3000'] }, 'fetch_blocked'],
  ] satisfies [string, GuardOptions, string][])('%s with %o: %s', (address, options, expected) => {
    expect(verdict(address, options)).toBe(expected);
  });

  it.each([
    '',
    '*',
    '*.',
    'example.com/path',
    'https://example.com',
    'a*b.com',
    '*.1.2.3.4',
    'a:123456',
    'u@h',
    '[::1',
    'a b',
  ])('takes no %j for a host', (pattern) => {
    for (const name of ['allowHosts', 'denyHosts', 'allowPrivate'])
      expect(() => createRules({ [name]: [pattern] })).toThrow(
        expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(name) }),
      );
  });
});

describe('addresses', () => {
  it.each([
    '',
    'example.com',
    '/page',
    '//example.com/',
    'http://',
    'http://a b/',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
  ])('refuses %j as no whole address', (address) => {
    expect(verdict(address)).toBe('fetch_blocked');
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,a',
    'blob:https://example.com/1',
    'about:blank',
  ])('refuses the scheme of %s', (address) => {
    expect(verdict(address)).toBe('fetch_blocked');
  });

  it.each([
    'gopher://example.com/',
    'ws://example.com/',
    'javascript:alert(1)',
    'chrome://version',
    'view-source:http://a.com',
  ])('refuses the scheme of %s too', (address) => {
    expect(verdict(address, { allowPrivate: ['example.com'] })).toBe('fetch_blocked');
  });

  it.each(['http://user@example.com/', 'http://user:word@example.com/', 'http://:word@example.com/'])(
    'refuses the user of %s, and does not repeat it',
    (address) => {
      expect(() => createRules({}).check(new URL(address))).toThrow(/^(?!.*(?:user@|word@)).*Leave it out\.$/);
    },
  );

  it.each([
    ['http://localhost/'],
    ['http://LOCALHOST./'],
    ['http://a.localhost/'],
    ['http://printer.local/'],
    ['http://metadata.google.internal/'],
    ['http://router.lan/'],
    ['http://nas.home.arpa/'],
    ['http://intranet/'],
    ['http://./'],
  ])('refuses the local name of %s', (address) => {
    expect(verdict(address)).toBe('fetch_blocked');
  });

  it('says neither query nor an endless name', () => {
    const address = `https://${'a.'.repeat(2000)}internal/?token=secret`;
    expect(() => createRules({}).check(new URL(address))).toThrow(/^(?!.*secret).{1,250}$/);
  });
});

describe('ports', () => {
  it.each([
    ['http://example.com/', undefined, 'ok'],
    ['http://example.com:8080/', undefined, 'ok'],
    ['http://example.com:25/', undefined, 'fetch_blocked'],
    ['http://example.com:22/', undefined, 'fetch_blocked'],
    ['http://example.com:6667/', undefined, 'fetch_blocked'],
    ['http://example.com:0/', undefined, 'fetch_blocked'],
    ['http://example.com/', [443], 'fetch_blocked'],
    ['https://example.com/', [443], 'ok'],
    ['http://example.com:22/', [22], 'ok'],
    ['http://example.com:8080/', [80, 443], 'fetch_blocked'],
  ] as const)('%s with ports %o: %s', (address, ports, expected) => {
    expect(verdict(address, ports === undefined ? {} : { ports })).toBe(expected);
  });
});

it.each([
  { maxBytes: -1 },
  { timeoutMs: Infinity },
  { headersTimeoutMs: 2 ** 31 },
  { maxRedirects: 0.5 },
  { maxBytes: NaN },
])('refuses the limit of %o', (options) => {
  expect(() => limitsOf(options)).toThrow(expect.objectContaining({ code: 'invalid_limit' }));
});
