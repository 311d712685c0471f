import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeHistory } from './arrangement.ts';
import { callsOf } from './message.ts';
import type { Message, Part } from './message.ts';

const message = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 0,
});
const call = (callId: string): Part => ({ type: 'tool-call', callId, name: 't', input: {}, executedBy: 'us' });
const answer = (callId: string): Part => ({
  type: 'tool-result',
  callId,
  name: 't',
  output: callId,
  modelParts: [{ type: 'text', text: callId }],
  isError: false,
});

it('leaves a history that is in place unchanged, the same objects', () => {
  const history = [
    message('1', 'user'),
    message('2', 'assistant', call('a'), call('b')),
    message('3', 'tool', answer('a')),
    message('4', 'tool', answer('b')),
  ];
  const arranged = arrangeHistory(history);
  expect(arranged.map((each, index) => each === history[index])).toEqual([true, true, true, true]);
});

it('puts results into call order, closes open calls, and drops results of no call', () => {
  const arranged = arrangeHistory([
    message('0', 'tool', answer('stray')),
    message('1', 'assistant', call('a'), call('b'), call('c')),
    message('2', 'tool', answer('c')),
    message('3', 'tool', answer('a'), answer('x')),
    message('4', 'user'),
    message('5', 'tool', answer('b')),
    message('6', 'assistant', call('d')),
  ]);
  expect(arranged.map(({ id }) => id)).toEqual(['1', '3', '5', '2', '4', '6', '6/d']);
  expect(arranged[1]?.parts).toEqual([answer('a')]);
  expect(arranged[6]?.parts[0]).toMatchObject({
    callId: 'd',
    isError: true,
    output: 'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.',
  });
});

it('keeps the first of the calls and of the results with the same id', () => {
  const again: Part = { type: 'tool-call', callId: 'a', name: 'other', input: {}, executedBy: 'us' };
  const arranged = arrangeHistory([
    message('1', 'assistant', call('a'), call('b'), again),
    message('2', 'tool', answer('a')),
    message('3', 'tool', answer('a')),
    message('4', 'tool', answer('b')),
  ]);
  expect(arranged.map(({ id }) => id)).toEqual(['1', '2', '4']);
  expect(arranged[0]?.parts).toEqual([call('a'), call('b')]);
});

const id = fc.constantFrom('a', 'b', 'c', 'd');
const anyMessage = fc.oneof(
  fc.constant(message('u', 'user')),
  fc.uniqueArray(id, { maxLength: 3 }).map((ids) => message('s', 'assistant', ...ids.map(call))),
  fc.uniqueArray(id, { minLength: 1, maxLength: 2 }).map((ids) => message('t', 'tool', ...ids.map(answer))),
);

it('any history at all becomes one that every api accepts, and stays so', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (history) => {
      const arranged = arrangeHistory(history);
      for (const [index, each] of arranged.entries()) {
        const calls = callsOf(each).map(({ callId }) => callId);
        const following = arranged.slice(index + 1, index + 1 + calls.length);
        expect(
          following.map(({ parts }) => parts.map((part) => (part.type === 'tool-result' ? part.callId : ''))),
        ).toEqual(calls.map((callId) => [callId]));
      }
      const results = arranged.filter(({ role }) => role === 'tool').length;
      expect(results).toBe(arranged.reduce((sum, each) => sum + callsOf(each).length, 0));
      expect(arrangeHistory(arranged)).toEqual(arranged);
    }),
  );
});

it('puts one result behind each call, each with another id in its turn, and changes nothing the second time', () => {
  const id = fc.constantFrom('a', 'b');
  const any = fc.oneof(
    fc.constant(message('u', 'user')),
    fc
      .array(fc.oneof(id.map(call), id.map(answer)), { maxLength: 3 })
      .map((parts) => message('m', 'assistant', ...parts)),
    fc.array(id.map(answer), { maxLength: 3 }).map((parts) => message('t', 'tool', ...parts)),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), (history) => {
      const arranged = arrangeHistory(history);
      for (const [index, { role, parts }] of arranged.entries()) {
        const calls = role === 'assistant' ? callsOf({ parts }) : [];
        const behind = arranged.slice(index + 1, index + 1 + calls.length);
        expect(behind.map((each) => [each.role, each.parts.map((of) => 'callId' in of && of.callId)])).toEqual(
          calls.map(({ callId }) => ['tool', [callId]]),
        );
        expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
      }
      expect(arrangeHistory(arranged)).toEqual(arranged);
    }),
  );
});
