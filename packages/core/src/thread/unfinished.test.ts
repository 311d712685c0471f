import { expect, it } from 'vitest';
import type { Message, Part } from '../index.ts';
import { isUnfinished } from './index.ts';

const says = (role: Message['role'], ...parts: readonly Part[]): Message => ({ id: role, role, parts, createdAt: 0 });
const text = { type: 'text', text: 'Hi' } as const;
const call = (executedBy: 'us' | 'provider'): Part => ({
  type: 'tool-call',
  callId: 'c',
  name: 'n',
  input: {},
  executedBy,
});
const result: Part = { type: 'tool-result', callId: 'c', name: 'n', output: '', modelParts: [text], isError: false };

it.each<[string, readonly Message[], boolean]>([
  ['a question', [says('user', text)], true],
  ['a call without a result', [says('user', text), says('assistant', call('us'))], true],
  ['a question behind an answer', [says('assistant', text), says('user', text)], true],
  ['nothing', [], false],
  ['an answer', [says('user', text), says('assistant', text)], false],
  [
    'a call that the vendor ran, which has no result',
    [says('user', text), says('assistant', call('provider'), text)],
    false,
  ],
  ['a call with its result', [says('assistant', call('us')), says('tool', result)], false],
])('tells whether %s leaves anything to go on with', (_, messages, expected) => {
  expect(isUnfinished(messages)).toBe(expected);
});
