import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64 } from '../files/bundle/base64.ts';
import { type Media, isReadable } from './media.ts';

const audio = (more: Partial<Media>): Media => ({ type: 'audio', mediaType: 'audio/wav', ...more });

it.each([
  ['nothing', {}],
  ['empty data', { data: '' }],
  ['data that is no base64', { data: 'no base64!' }],
  ['data in the alphabet of URLs', { data: 'a-_=' }],
  ['base64 that was cut off', { data: 'AAAAA' }],
  ['base64 with padding in the middle', { data: 'AA==AAAA' }],
  ['base64 of 100 MB', { data: 'A'.repeat(4 * 2 ** 25) }],
  ['a script', { url: 'javascript:alert(1)' }],
  ['a file of the host', { url: 'file:///etc/passwd' }],
])('takes no %s for something that an API could read', (_, more) => {
  expect(isReadable(audio(more))).toBe(false);
});

it('takes whole base64 and addresses of the web', () => {
  for (const data of ['AAAA', 'AAA=', 'AA==']) expect(isReadable(audio({ data }))).toBe(true);
  for (const url of ['https://a.example/b', 'gs://a/b']) expect(isReadable(audio({ url }))).toBe(true);
});

it('takes all that decodes and encodes to the same', () => {
  const text = fc.oneof(fc.base64String(), fc.string({ unit: fc.constantFrom('A', '=', '+', '-', ' ') }));
  fc.assert(
    fc.property(text, (data) => {
      if (fromBase64(data) !== undefined && data !== '') expect(isReadable(audio({ data }))).toBe(true);
      if (isReadable(audio({ data }))) expect(() => atob(data)).not.toThrow();
    }),
  );
});
