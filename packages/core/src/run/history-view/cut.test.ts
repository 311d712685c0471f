import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeHistory } from '../../model/arrangement.ts';
import { callsOf, textOf } from '../../model/message.ts';
import type { Message, Part } from '../../model/message.ts';
import { compact, leftOutText } from './cut.ts';
import { estimateAll, estimateTokens } from './estimate.ts';

const message = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 7,
});
/** A part of about `tokens` tokens. */
const text = (tokens: number): Part => ({ type: 'text', text: 'word'.repeat(tokens) });
const question = (id: string, tokens = 10): Message => message(id, 'user', text(tokens));
const reply = (id: string, tokens = 100): Message => message(id, 'assistant', text(tokens));

/** A turn with a call, and its result. */
const step = (id: string, tokens = 100): readonly Message[] => [
  message(`${id}.call`, 'assistant', { type: 'tool-call', callId: id, name: 't', input: {}, executedBy: 'us' }),
  message(`${id}.result`, 'tool', {
    type: 'tool-result',
    callId: id,
    name: 't',
    output: null,
    modelParts: [{ type: 'text', text: 'word'.repeat(tokens) }],
    isError: false,
  }),
];

const ids = (messages: readonly Message[]): string => messages.map(({ id }) => id).join(' ');

it('leaves out the oldest exchanges whole, keeps a short first question, and says how many messages are missing', () => {
  const history = [
    question('1'),
    reply('2'),
    question('3'),
    ...step('4'),
    reply('5'),
    question('6'),
    reply('7'),
    question('8'),
  ];
  const view = compact(history, { keep: 300 });
  expect(ids(view)).toBe('1 6/left-out 6 7 8');
  expect(view[1]).toMatchObject({ role: 'user', createdAt: 7, parts: [{ type: 'text', text: leftOutText(5) }] });
  expect(textOf(view[1]?.parts ?? [])).toBe(
    '[5 earlier messages were left out here: the conversation had become too long. Do not guess what they said: look it up again, or ask.]',
  );
  expect(compact(history, { keep: 300 })[1]).toBe(view[1]);
  expect(compact(history, { keep: 10_000 })).toBe(history);
});

it('leaves a long first question out', () => {
  expect(ids(compact([question('1', 600), reply('2'), question('3')], { keep: 300 }))).toBe('3/left-out 3');
});

it('of a newest exchange that is too long alone, leaves out its oldest steps', () => {
  const long = [question('1'), ...step('2'), ...step('3'), ...step('4'), reply('5', 1)];
  expect(ids(compact(long, { keep: 320 }))).toBe('1 3.call/left-out 3.call 3.result 4.call 4.result 5');
  expect(ids(compact([question('0', 600), ...step('a'), ...long], { keep: 220 }))).toBe(
    '1 4.call/left-out 4.call 4.result 5',
  );
  expect(ids(compact([question('0'), ...step('a'), ...long], { keep: 0 }))).toBe('0 1 5/left-out 5');
});

it('includes a summary of the omitted messages', () => {
  const view = compact([question('1', 600), reply('2'), question('3')], { keep: 300, summary: 'They met.' });
  expect(textOf(view[0]?.parts ?? [])).toBe(`${leftOutText(2)}\n\nA summary of them:\nThey met.`);
});

it('estimates four characters a token, fewer for scripts without spaces, and a flat figure for an image', () => {
  const image: Part = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(1_000_000) };
  expect(estimateTokens(reply('1', 100))).toBe(104);
  expect(estimateTokens(message('2', 'user', { type: 'text', text: '漢字'.repeat(150) }))).toBe(204);
  expect(estimateTokens(message('3', 'user', image))).toBe(1_504);
});

const tokens = fc.nat(200);
const anyExchange = fc
  .tuple(tokens, fc.array(fc.oneof(tokens, fc.tuple(tokens)), { maxLength: 4 }))
  .map(([asked, turns]) => ({ asked, turns }));
const anyHistory = fc
  .array(anyExchange, { maxLength: 5 })
  .map((exchanges) =>
    exchanges.flatMap(({ asked, turns }, at) => [
      question(`${at}`, asked),
      ...turns.flatMap((turn, index) =>
        Array.isArray(turn) ? step(`${at}.${index}`, turn[0]) : [reply(`${at}.${index}`, turn)],
      ),
    ]),
  );

it('whatever is left out, calls and results stay paired, the end stays, and it fits unless the newest step does not', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(1_000), (history, keep) => {
      const view = compact(history, { keep });
      expect(arrangeHistory(view)).toEqual(view);
      expect(view.at(-1)).toBe(history.at(-1));
      const missing = history.length - view.filter((each) => history.includes(each)).length;
      const note = view.find((each) => !history.includes(each));
      expect(note === undefined ? '' : textOf(note.parts)).toBe(missing === 0 ? '' : leftOutText(missing));
      const least = compact(history, { keep: 0 });
      expect(estimateAll(view) <= keep || ids(view) === ids(least)).toBe(true);
      expect(view.flatMap(callsOf).length).toBe(view.filter(({ role }) => role === 'tool').length);
    }),
  );
});
