import { expect, it } from 'vitest';
import { jsonSchema } from '../json-schema.ts';
import { formats } from './formats.ts';

/** Texts by format, from the RFCs that the formats name: valid ones, and invalid ones. */
const rows: Readonly<Record<string, readonly [valid: readonly string[], invalid: readonly string[]]>> = {
  date: [
    ['2024-02-29', '2000-02-29', '1998-12-31'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-01', '2024-04-31', '24-01-01', '2024-1-1', '২০২৪-01-01', ''],
  ],
  time: [
    ['08:30:06Z', '08:30:06.283185z', '23:59:60Z', '01:29:60+01:30', '15:59:60-08:00'],
    ['08:30:06', '24:00:00Z', '08:60:06Z', '22:59:60Z', '23:59:60+01:00', '08:30:06+24:00', '1:2:3Z', ''],
  ],
  'date-time': [
    ['1963-06-19T08:30:06.283185Z', '1990-02-31T15:59:59Z'.replace('31', '28'), '1998-12-31t23:59:60z'],
    ['1990-02-31T15:59:59Z', '1963-06-19', '06/19/1963 08:30:06 PST', '2013-350T01:01:01Z', ''],
  ],
  duration: [
    ['P4DT12H30M5S', 'P4Y', 'PT0S', 'P1M', 'PT36H', 'P2W'],
    ['PT1D', 'P', 'P1YT', 'PT', 'P2D1Y', 'P1Y2W', 'P1', '4DT12H30M5S', ''],
  ],
  email: [
    ['joe.bloggs@example.com', 'te~st@example.com', 'a@b'],
    ['2962', '@example.com', 'a@', 'a b@example.com', 'a@-b', 'a@b..c', `${'a'.repeat(65)}@b`, ''],
  ],
  hostname: [
    ['www.example.com', 'xn--4gbwdl.xn--wgbh1c', 'a', '1host', `${'a'.repeat(63)}.com`],
    ['-a', 'a-', 'a_b', 'a..b', '.', 'a.', `${'a'.repeat(64)}.com`, 'a.'.repeat(127) + 'aa', ''],
  ],
  ipv4: [
    ['192.168.0.1', '0.0.0.0', '255.255.255.255', '87.10.0.1'],
    ['127.0.0.0.1', '256.1.1.1', '127.0', '0x7f000001', '087.10.0.1', '1.2.3.4.', '.1.2.3', ''],
  ],
  ipv6: [
    ['::1', '::', '::abef', '1::', '1:2:3:4:5:6:7::', '2001:db8::1', '::ffff:192.168.0.1', '1:2:3:4:5:6:7:8'],
    ['12345::', '1:1:1:1:1:1:1:1:1', '::laptop', ':2:3:4:5:6:7:8', '1::2::3', '1:2', '::1.2.3', 'fe80::a%eth1', ''],
  ],
  uri: [
    [
      'http://foo.bar/?baz=qux#quux',
      'urn:oasis:names',
      'mailto:a@b.example',
      'ldap://[2001:db8::7]/c=GB?objectClass?one',
    ],
    ['//foo.bar/', '/abc', '\\\\WINDOWS', 'abc', 'http:// shouldfail.com', 'http://a/%4', 'http://a#b#c', 'é:a', ''],
  ],
  'uri-reference': [
    ['//foo.bar/?baz', '/abc', 'abc', '#frag', ''],
    ['\\\\WINDOWS', '#a\\b', 'a b', 'é'],
  ],
  uuid: [
    ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380'],
    ['2eb8aa08-aa98-11ea-b4aa-73b441d1638', '2eb8aa08aa9811eab4aa73b441d16380', ''],
  ],
  'json-pointer': [
    ['', '/', '/foo/bar~0/baz~1/%a', '/foo//bar', '/ '],
    ['/foo/bar~', '/~2', '#', 'a', '0'],
  ],
  'relative-json-pointer': [
    ['1', '0/foo/bar', '2/0/baz/1', '0#'],
    ['/foo', '-1', '01', '0##', ''],
  ],
  regex: [
    ['([abc])+\\s+$', ''],
    ['^(abc]', '\\a'],
  ],
};

it('knows the formats that these rows are about, and no others', () => {
  expect(
    Object.keys(formats)
      .filter((name) => name !== 'url')
      .toSorted(),
  ).toEqual(Object.keys(rows).toSorted());
});

it.each(Object.entries(rows))('tells texts with the format %s from others', (name, [valid, invalid]) => {
  const holds = (text: string): boolean | undefined => formats[name]?.(text);
  expect(valid.filter((text) => holds(text) !== true)).toEqual([]);
  expect(invalid.filter((text) => holds(text) !== false)).toEqual([]);
});

it('took a format for a demand that nobody made: it asserts only if asked to', async () => {
  const schema = { type: 'string', format: 'email' };
  const validate = async (options?: { readonly assertFormats: boolean }): Promise<boolean> =>
    (await jsonSchema(schema, options)['~standard'].validate('not an address')).issues === undefined;
  expect([await validate(), await validate({ assertFormats: true })]).toEqual([true, false]);
  const unknown = jsonSchema({ type: 'string', format: 'idn-email' }, { assertFormats: true });
  expect((await unknown['~standard'].validate('x')).issues).toBeUndefined();
});

it('reads a text of 100,000 characters once, whatever the format', async () => {
  const hostile = ['a', '0', '1:', 'a.', '/', '~0', '%20', '9', '-0', '@'].map((piece) =>
    piece.repeat(100_000 / piece.length),
  );
  for (const isValid of Object.values(formats)) {
    for (const text of hostile) {
      for (const each of [text, `http://${text}\0`, `P${text}`, `2024-01-01T${text}`]) isValid(each);
    }
  }
  expect(hostile).toHaveLength(10);
});
