import { expect, it } from 'vitest';
import { arrangeHistory } from '../../model/arrangement.ts';
import { textOf } from '../../model/message.ts';
import type { Message, Part } from '../../model/message.ts';
import { requestView } from './request-view.ts';

const message = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 0,
});

/** As a storage gives it: nobody has a tool of this name any more. */
const stored = JSON.parse(
  JSON.stringify([
    message('1', 'user', { type: 'text', text: 'Draw.' }),
    message(
      '2',
      'assistant',
      { type: 'tool-call', callId: 'a', name: 'gone', input: { old: [1] }, executedBy: 'us', title: 'Drew', icon: '🖌' },
      { type: 'tool-call', callId: 'b', name: 'gone', input: {}, invalidInput: '{', executedBy: 'us' },
    ),
    message('3', 'tool', {
      type: 'tool-result',
      callId: 'a',
      name: 'gone',
      output: { shape: 'of old' },
      modelParts: [{ type: 'text', text: 'Drawn.'.padEnd(2_000, '.'), resource: { key: 'k', etag: 'v' } }],
      status: '1 drawing',
      userView: { card: 'drawing' },
      isError: false,
      toolFingerprint: 'of old',
    }),
    message('4', 'user', { type: 'text', text: 'And now?' }),
  ]),
) as readonly Message[];

it('a thread with calls of a tool that is gone makes a request of what is stored, and renders by it', async () => {
  const { messages } = await requestView(arrangeHistory(stored));
  expect(messages.map(({ id }) => id)).toEqual(['1', '2', '3', '2/b', '4']);
  expect([messages[0], messages[1], messages[2]]).toEqual([stored[0], stored[1], stored[2]]);
  expect(messages[1]?.parts[0]).toMatchObject({ title: 'Drew', icon: '🖌' });
  expect(messages[2]?.parts[0]).toMatchObject({ status: '1 drawing', userView: { card: 'drawing' } });
  expect(messages[3]?.parts).toMatchObject([{ callId: 'b', name: 'gone', isError: true }]);
});

it('such a thread is shortened like any other', async () => {
  const again = stored.map((each) => ({ ...each, id: `${each.id} again` }));
  const whole = await requestView(arrangeHistory([...stored, ...again]));
  const [first, , second] = whole.messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
  expect(first?.modelParts).toEqual((stored[2]?.parts[0] as typeof first)?.modelParts);
  expect(textOf(second?.modelParts ?? [])).toContain('in the result of an earlier call, gone');
  const short = await requestView(arrangeHistory([...stored, ...again]), { shrink: 2 });
  expect(arrangeHistory(short.messages)).toEqual(short.messages);
  expect(JSON.stringify(short.messages)).not.toContain('Drawn.');
});
