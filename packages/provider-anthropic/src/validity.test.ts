import type { Message, Part } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toRequest } from './request.ts';

// The API's demands on any conversation, tested on random conversations.
interface Block {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly content?: unknown;
}

const text = fc.constantFrom('', ' \n', 'Hello', 'ä\ud83d').map((said): Part => ({ type: 'text', text: said }));
const media = fc.constantFrom<Part>(
  { type: 'image', mediaType: 'image/png', data: 'iVBO' },
  { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsD' },
);
const call = fc.record({ name: fc.constantFrom('read', 'no name'), executedBy: fc.constantFrom('us', 'provider') });
const parts = fc.array(fc.oneof(text, media, call, fc.constant({ type: 'reasoning', text: 'Hm.' } as const)), {
  maxLength: 4,
});
const turns = fc.array(
  fc.record({ role: fc.constantFrom('user', 'assistant'), parts, answered: fc.nat(4), isError: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
);
type Drawn = typeof turns extends fc.Arbitrary<infer Value> ? Value : never;

/** The turns as a thread: some calls answered, some not. */
function threadOf(drawn: Drawn): readonly Message[] {
  return drawn.flatMap(({ role, parts: raw, answered, isError }, turn): Message[] => {
    const whole = raw.map((part, index): Part => {
      if ('type' in part) return part;
      return { type: 'tool-call', callId: `c${turn}|${index}`, input: {}, ...part };
    });
    const message = { id: `m${turn}`, role, parts: whole, createdAt: 0 } as Message;
    const calls = whole.filter((part) => part.type === 'tool-call').slice(0, answered);
    const results = calls.map(({ callId, name }): Message => {
      const part = {
        type: 'tool-result',
        callId,
        name,
        output: '',
        modelParts: [{ type: 'text', text: '' }],
        isError,
      } as const;
      return { id: callId, role: 'tool', parts: [part], createdAt: 0 };
    });
    return role === 'user' ? [message] : [message, ...results];
  });
}

it('alternates turns, answers each call at once and before any text, and has nothing empty', () => {
  fc.assert(
    fc.property(turns, (drawn) => {
      const request = { system: '', messages: arrangeHistory(threadOf(drawn)), tools: [], toolChoice: 'auto' } as const;
      const { messages } = toRequest(request, { modelId: 'claude' });
      for (const [index, { role, content }] of messages.entries()) {
        const blocks = content as readonly Block[];
        expect(blocks.length).toBeGreaterThan(0);
        expect(role).not.toBe(messages[index - 1]?.role);
        expect(blocks.every((block) => block.type !== 'text' || block.text?.trim() !== '')).toBe(true);
        const asked = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
        const next = (messages[index + 1]?.content ?? []) as readonly (Block & { readonly tool_use_id?: string })[];
        const answers = next.filter(({ type }) => type === 'tool_result');
        expect(answers.map((answer) => answer.tool_use_id)).toEqual(asked);
        expect(next.slice(0, answers.length)).toEqual(answers);
        expect(answers.every((answer) => answer.content !== '')).toBe(true);
      }
      expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/);
    }),
  );
});
