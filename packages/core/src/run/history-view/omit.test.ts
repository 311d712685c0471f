import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ContentPart, Message } from '../../model/message.ts';
import { omitLargest, omittedText, resultCharacters } from './omit.ts';

const text = (length: number): ContentPart => ({ type: 'text', text: 'x'.repeat(length) });

function answer(id: string, ...modelParts: readonly ContentPart[]): Message {
  const part = { type: 'tool-result', callId: id, name: 't', output: null, modelParts, isError: false } as const;
  return { id, role: 'tool', parts: [part], createdAt: 0 };
}

const said = (id: string, role: 'user' | 'assistant'): Message => ({
  id,
  role,
  parts: [{ type: 'text', text: 'y'.repeat(9_000) }],
  createdAt: 0,
});

const omittedOf = (before: readonly Message[], after: readonly Message[]): readonly string[] =>
  before.filter((each, index) => each !== after[index]).map(({ id }) => id);

const history = [
  said('question', 'user'),
  said('turn 1', 'assistant'),
  answer('small', text(100)),
  answer('older', text(3_000)),
  answer('equal', text(3_000)),
  answer('largest', text(5_000)),
  said('turn 2', 'assistant'),
  answer('newest', text(50_000)),
];

it('omits the largest results first, the older of equal ones, and those the model has not seen last', () => {
  const omitted = (characters: number): readonly string[] => omittedOf(history, omitLargest(history, characters));
  expect(omitted(1)).toEqual(['largest']);
  expect(omitted(5_000)).toEqual(['older', 'largest']);
  expect(omitted(9_000)).toEqual(['older', 'equal', 'largest']);
  expect(omitted(60_000)).toEqual(['older', 'equal', 'largest', 'newest']);
  expect(omitLargest(history, 0)).toBe(history);
});

it('says what was omitted, how large it was and what to do, and leaves the stored message unchanged', () => {
  const [, , , older] = omitLargest(history, 60_000);
  expect(older?.parts[0]).toMatchObject({
    callId: 'older',
    output: null,
    modelParts: [
      {
        type: 'text',
        text: "Tool result omitted - the total prompt exceeded the model's context limit. It had 3000 characters. What the call did stands. If its result is still needed, call the tool again for a smaller part of it.",
      },
    ],
  });
  expect(history[3]?.parts[0]).toMatchObject({ modelParts: [text(3_000)] });
  expect(omitLargest(history, 60_000)[3]).toBe(older);
});

it('counts images and files by their data', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(4_000) } as const;
  const messages = [answer('text', text(3_500)), answer('images', text(10), image, image), answer('image', image)];
  const omitted = omitLargest(messages, 9_000);
  expect(omitted.map(({ parts: [part] }) => (part?.type === 'tool-result' ? part.modelParts : part))).toEqual([
    [text(3_500)],
    [{ type: 'text', text: omittedText('10 characters and 2 images or files') }],
    [{ type: 'text', text: omittedText('1 image or file') }],
  ]);
});

it('saves what was asked for wherever that can be, and never makes a history longer', () => {
  const anyAnswer = fc
    .array(fc.nat(2_000), { minLength: 1, maxLength: 2 })
    .map((sizes) => answer('a', ...sizes.map(text)));
  const anyHistory = fc.array(fc.oneof(anyAnswer, fc.constant(said('s', 'assistant'))), { maxLength: 8 });
  fc.assert(
    fc.property(anyHistory, fc.nat(10_000), (messages, asked) => {
      const saved = resultCharacters(messages) - resultCharacters(omitLargest(messages, asked));
      const most = resultCharacters(messages) - resultCharacters(omitLargest(messages, Infinity));
      expect(saved).toBeGreaterThanOrEqual(Math.min(asked, most));
      expect(omitLargest(messages, asked)).toHaveLength(messages.length);
    }),
  );
});
