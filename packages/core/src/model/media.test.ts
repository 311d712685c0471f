import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Media, isReadable } from './media.ts';

const audio = (more: Partial<Media>): Media => ({ type: 'audio', mediaType: 'audio/wav', ...more });

it.each([
  ['a part without bytes', {}],
  ['empty data', { data: '' }],
  ['data that is no base64', { data: 'no base64!' }],
  ['data in the alphabet of URLs', { data: 'a-_=' }],
  ['base64 that was cut off', { data: 'AAAAA' }],
  ['base64 with padding in the middle', { data: 'AA==AAAA' }],
  ['base64 of 100 MB', { data: 'A'.repeat(4 * 2 ** 25) }],
  ['a script', { url: 'javascript:alert(1)' }],
  ['a file of the host', { url: 'file:///etc/passwd' }],
])('refuses %s as bytes for an API', (_, more) => {
  expect(isReadable(audio(more))).toBe(false);
});

it('takes data and addresses of the web', () => {
  for (const data of ['AAAA', 'AAA=', 'AA==']) expect(isReadable(audio({ data }))).toBe(true);
  for (const url of ['https://a.example/b', 'gs://a/b']) expect(isReadable(audio({ url }))).toBe(true);
});

/** True if base64 decodes, and is neither truncated nor broken into lines. */
function isWhole(data: string): boolean {
  try {
    return atob(data) !== '' && data.length % 4 === 0 && !data.includes(' ');
  } catch {
    return false;
  }
}

it('takes whole base64 and nothing else', () => {
  const text = fc.oneof(fc.base64String(), fc.string({ unit: fc.constantFrom('A', '=', '+', '-', ' ') }));
  fc.assert(
    fc.property(text, (data) => {
      expect(isReadable(audio({ data }))).toBe(isWhole(data));
    }),
  );
});
