import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOf } from '../../model/message.ts';
import type { ContentPart, Message, TextPart } from '../../model/message.ts';
import { showOnce } from './show-once.ts';

const content = (key: string, etag: string): TextPart => ({
  type: 'text',
  text: `<${key} ${etag}>`,
  resource: { key, etag },
});

function answer(id: string, ...modelParts: readonly ContentPart[]): Message {
  const part = {
    type: 'tool-result',
    callId: id,
    name: `read_${id}`,
    output: null,
    modelParts,
    isError: false,
  } as const;
  return { id, role: 'tool', parts: [part], createdAt: 0 };
}

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'tool-result' ? textOf(part.modelParts) : '')).join());

const stub = (key: string, teller: string, place: string): string =>
  `>>>>> ${key} (unchanged: its content is in the result of ${place} call, read_${teller})\n<<<<< END`;

const history = [
  answer('1', content('a', 'v1')),
  answer('2', content('b', 'v1'), { type: 'text', text: 'plain' }),
  answer('3', content('a', 'v1')),
  answer('4', content('a', 'v2'), content('b', 'v1')),
  answer('5', content('a', 'v1')),
  answer('6', { type: 'text', text: 'plain' }),
];

it('[S2-13] shows repeated content once, and changed content again', () => {
  expect(textsOf(showOnce(history, 'newest'))).toEqual([
    stub('a', '5', 'a later'),
    `${stub('b', '4', 'a later')}plain`,
    stub('a', '5', 'a later'),
    '<a v2><b v1>',
    '<a v1>',
    'plain',
  ]);
  expect(textsOf(showOnce(history))).toEqual([
    '<a v1>',
    '<b v1>plain',
    stub('a', '1', 'an earlier'),
    `<a v2>${stub('b', '2', 'an earlier')}`,
    stub('a', '1', 'an earlier'),
    'plain',
  ]);
  expect(showOnce(history, 'all')).toBe(history);
});

it('keeps objects without repetition, and makes the same stub each time', () => {
  const [first, second] = [showOnce(history), showOnce(history)];
  expect(first.map((each, index) => each === history[index])).toEqual([true, true, false, false, false, true]);
  expect(second.map((each, index) => each === first[index])).toEqual(first.map(() => true));
  const plain = [history[0], history[1]] as Message[];
  expect(showOnce(plain).map((each, index) => each === plain[index])).toEqual([true, true]);
});

it('shows the next one where the first is gone', () => {
  expect(textsOf(showOnce(history.slice(2)))[0]).toBe('<a v1>');
  expect(textsOf(showOnce(history))[2]).toBe(stub('a', '1', 'an earlier'));
});

it('of equal contents in one result shows one', () => {
  const twice = [answer('1', content('a', 'v'), content('a', 'v'))];
  expect(textsOf(showOnce(twice))).toEqual([`<a v>${stub('a', '1', 'an earlier')}`]);
});

const anyPart: fc.Arbitrary<ContentPart> = fc.oneof(
  fc
    .record({ key: fc.constantFrom('a', 'b'), etag: fc.constantFrom('1', '2') })
    .map(({ key, etag }) => content(key, etag)),
  fc.constant({ type: 'text', text: 'plain' } as const),
);
const anyHistory = fc
  .array(fc.array(anyPart, { minLength: 1, maxLength: 3 }), { maxLength: 8 })
  .map((all) => all.map((parts, index) => answer(String(index), ...parts)));

it('[D2-04] any history begins as it did before it grew, the same objects', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(8), (messages, length) => {
      const before = showOnce(messages.slice(0, length));
      const after = showOnce(messages);
      expect(before.every((each, index) => each === after[index])).toBe(true);
    }),
  );
});

it('any history has each content in full exactly once, and every stub names a tool that shows it', () => {
  fc.assert(
    fc.property(anyHistory, fc.constantFrom('first', 'newest'), (messages, repeats) => {
      const view = showOnce(messages, repeats);
      const shown = view.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-result' ? [part] : []));
      const full = shown.flatMap(({ name, modelParts }) =>
        modelParts.flatMap((part) => (part.type === 'text' && part.resource ? [`${name} ${part.resource.key}`] : [])),
      );
      const whole = textsOf(messages).join();
      for (const version of ['<a 1>', '<a 2>', '<b 1>', '<b 2>'])
        expect(textsOf(view).join().split(version)).toHaveLength(whole.includes(version) ? 2 : 1);
      for (const [, key, name] of textsOf(view)
        .join()
        .matchAll(/>>>>> (\w) .*call, (\w+)\)/g))
        expect(full).toContain(`${name} ${key}`);
    }),
  );
});
