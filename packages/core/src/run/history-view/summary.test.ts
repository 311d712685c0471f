import { expect, it } from 'vitest';
import { textOf } from '../../model/message.ts';
import type { Message, Part } from '../../model/message.ts';
import { summaryRequest } from './summary.ts';

const message = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 5,
});

it('asks for a summary of what is left out, without tools and in words that every model reads', () => {
  const history = [
    message(
      '1',
      'user',
      { type: 'text', text: 'Look.' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'resource-link', uri: 'a:b', name: 'c' },
    ),
    message(
      '2',
      'assistant',
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', callId: 'c', name: 'read', input: { path: 'a' }, executedBy: 'us' },
    ),
    message('3', 'tool', {
      type: 'tool-result',
      callId: 'c',
      name: 'read',
      output: null,
      modelParts: [{ type: 'text', text: 'x'.repeat(5_000) }],
      isError: true,
    }),
    message('4', 'user', { type: 'text', text: 'On.' }),
  ];
  const request = summaryRequest(history, { before: '4', previous: 'They met.' });
  expect(request).toMatchObject({
    tools: [],
    toolChoice: 'none',
    messages: [{ id: '4/summary', role: 'user', createdAt: 5 }],
  });
  expect(textOf(request.messages[0]?.parts ?? [])).toMatch(
    /^A summary of the messages before:\nThey met\.\n\nuser: Look\.\n\nuser: \[image\/png\]\n\nuser: {"type":"resource-link","uri":"a:b","name":"c"}\n\nassistant called read: {"path":"a"}\n\nread failed: x{1400}\n\[… 3000 of 5000 .* …\]\nx{600}$/,
  );
});

it('is requested for the newest entries if not all of them fit', () => {
  const history = Array.from({ length: 100 }, (_, at) =>
    message(`${at}`, at % 2 === 0 ? 'user' : 'assistant', { type: 'text', text: `${at} `.padEnd(500, 'x') }),
  );
  const ask = (maxTokens: number) => {
    const { system, messages } = summaryRequest(history, { before: '99', previous: 'They met.', maxTokens });
    const text = textOf(messages[0]?.parts ?? []);
    return { text, length: system.length + text.length };
  };
  const { text, length } = ask(2_000);
  expect(length).toBeLessThan(8_200);
  expect(text).toContain('They met.\n\n[The earlier messages are too long');
  expect(text).toContain('98 x');
  expect(text).not.toContain('user: 10 x');
  expect(ask(1_000_000).text).toContain('user: 0 x');
  expect(ask(0).text).not.toContain('98 x');
});
