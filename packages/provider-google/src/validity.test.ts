import type { Json, Message, Part } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { refuseGemini, refuseGeminiInteractions } from '@utensil/tooling-loopback/validators';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateMapper } from './generate/request.ts';
import { interactionsMapper } from './interactions/request.ts';

// The APIs' demands on any conversation, tested on random conversations.
const modelId = 'gemini-3.8-flash';
const text = fc.constantFrom('', ' \n', 'Hello', 'ä\ud83d').map((said): Part => ({ type: 'text', text: said }));
const media = fc.constantFrom<Part>(
  { type: 'image', mediaType: 'image/png', data: 'iVBO' },
  { type: 'image', mediaType: 'image/tiff', data: 'SUkq' },
  { type: 'file', mediaType: 'audio/wav', data: 'UklG' },
  { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsD' },
);
const call = fc.record({ name: fc.constantFrom('read', 'no name'), executedBy: fc.constantFrom('us', 'provider') });
const parts = fc.array(fc.oneof(text, media, call, fc.constant({ type: 'reasoning', text: 'Hm.' } as const)), {
  maxLength: 4,
});
const turns = fc.array(
  fc.record({
    role: fc.constantFrom('user', 'assistant'),
    parts,
    origin: fc.constantFrom('gemini', 'gemini-interactions', 'anthropic-messages'),
    answered: fc.nat(4),
    isError: fc.boolean(),
    result: fc.array(fc.oneof(text, media), { maxLength: 3 }),
    /** Number of calls that the message has lost since. */
    lost: fc.nat(2),
  }),
  { minLength: 1, maxLength: 8 },
);
type Drawn = typeof turns extends fc.Arbitrary<infer Value> ? Value : never;
type Calls = readonly Extract<Part, { type: 'tool-call' }>[];

const states: Readonly<Record<string, (calls: Calls) => Json>> = {
  gemini: (calls) => ({
    parts: [
      { text: 'Hm.', thought: true },
      ...calls.map(({ input }, index) => ({
        functionCall: { name: 'read', args: input },
        ...(index === 0 && { thoughtSignature: 'c2ln' }),
      })),
      { text: '', thoughtSignature: 'ZW5k' },
    ],
    callIds: calls.map(({ callId }) => callId),
  }),
  'gemini-interactions': (calls) => ({
    steps: [
      { type: 'thought', signature: 'c2ln' },
      ...calls.map(({ callId, input }) => ({ type: 'function_call', id: callId, name: 'read', arguments: input })),
    ],
  }),
  'anthropic-messages': () => ({ content: [] }),
};

/** The turns as a thread: some calls answered, some not, some gone. */
function threadOf(drawn: Drawn): readonly Message[] {
  return drawn.flatMap(({ role, parts: raw, origin: api, answered, isError, result, lost }, turn): Message[] => {
    const whole = raw.map((part, index): Part => {
      if ('type' in part) return part;
      return { type: 'tool-call', callId: `c${turn}|${index}`, input: {}, ...part };
    });
    const calls = whole.filter((part) => part.type === 'tool-call');
    const ours = calls.filter(({ executedBy }) => executedBy === 'us');
    const state = states[api]?.(ours) ?? null;
    const left = whole.filter((part) => part.type !== 'tool-call' || !ours.slice(0, lost).includes(part));
    const message = {
      id: `m${turn}`,
      role,
      parts: left,
      createdAt: 0,
      origin: { api, model: modelId, state },
    } as Message;
    const results = calls.slice(0, answered).map(({ callId, name }): Message => {
      const modelParts = result as Extract<Message['parts'][number], { type: 'tool-result' }>['modelParts'];
      const part = { type: 'tool-result', callId, name, output: '', modelParts, isError } as const;
      return { id: callId, role: 'tool', parts: [part], createdAt: 0 };
    });
    return role === 'user'
      ? [{ ...message, parts: left.filter(({ type }) => type !== 'tool-call') }]
      : [message, ...results];
  });
}

describe('any conversation', () => {
  const tools = [{ type: 'function', name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }] as const;

  it.each([
    ['google', generateMapper, refuseGemini],
    ['googleInteractions', (id: string) => interactionsMapper({ modelId: id, store: false }), refuseGeminiInteractions],
  ] as const)('is one that %s takes', (_, mapper, refuse) => {
    fc.assert(
      fc.property(turns, (drawn) => {
        const said: Message = { id: 'last', role: 'user', parts: [{ type: 'text', text: 'Go' }], createdAt: 0 };
        const messages = arrangeHistory([...threadOf(drawn), said]);
        const body: unknown = mapper(modelId)({ system: 'a\ud83d', messages, tools, toolChoice: 'auto' });
        expect(refuse(JSON.parse(JSON.stringify(body)))?.body).toBeUndefined();
      }),
    );
  });
});
