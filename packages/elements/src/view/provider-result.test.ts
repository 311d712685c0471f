import { createRegistry, emptySettings, noUsage, resolveToolset, run } from '@utensil/core';
import type { Json, Message, Model, ModelPart } from '@utensil/core';
import { expect, it } from 'vitest';
import { foldRun, noRun, threadView } from './index.ts';
import type { CallView, MessageView } from './index.ts';

const call = { type: 'tool-call', callId: 'srv', name: 'web_search', input: { query: 'tea' }, executedBy: 'provider' };
const told = (output: Json, isError = false): ModelPart =>
  ({ type: 'provider-result', callId: 'srv', name: 'web_search', output, isError }) as const;

async function playOnce(parts: readonly ModelPart[]): Promise<{ live: MessageView[]; stored: readonly Message[] }> {
  const model: Model = {
    info: { api: 'played', id: 'm' },
    async *stream() {
      yield* parts;
      yield { type: 'finish', reason: 'stop', usage: noUsage };
    },
  };
  const turn = run({ model, toolset: resolveToolset(createRegistry(), emptySettings, {}), messages: 'Look.' });
  let live = noRun;
  for await (const event of turn.events()) live = foldRun(live, event);
  return { live: [...live.messages], stored: (await turn.result).messages };
}

const callsIn = (messages: readonly MessageView[]): CallView[] =>
  messages.flatMap(({ items }) => items.flatMap((item) => (item.type === 'call' ? [item.call] : [])));

it('shows what a vendor’s own tool returned with its call, as it streams and as it is stored', async () => {
  const found = [{ type: 'web_search_result', url: 'https://tea.example', title: 'Tea', encrypted_content: 'EqgfYW…' }];
  const { live, stored } = await playOnce([call as ModelPart, told(found), { type: 'text-delta', text: 'Tea.' }]);
  const [shown, ...others] = callsIn(live);
  expect(others).toEqual([]);
  expect(shown).toMatchObject({ status: 'done', input: { query: 'tea' } });
  expect(shown?.result).toEqual({
    isError: false,
    output: found,
    modelParts: [],
    userView: 'Tea\nhttps://tea.example',
  });
  expect(callsIn(threadView(stored).messages)).toEqual([shown]);
});

it('shows a failure of a vendor’s own tool as one, and output of a program as a terminal does', async () => {
  const failed = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
  const { live } = await playOnce([call as ModelPart, told(failed, true)]);
  expect(callsIn(live)).toMatchObject([{ status: 'failed', result: { isError: true, output: failed } }]);
  const ran = { type: 'code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] };
  const program = await playOnce([call as ModelPart, told(ran)]);
  expect(callsIn(program.live)[0]?.result?.userView).toEqual({ type: 'terminal', text: '4\n', exit: 0 });
});

it('shows a result by itself whose call is in an earlier message', () => {
  const message: Message = { id: 'a', role: 'assistant', createdAt: 0, parts: [told({ ok: true }) as never] };
  const { messages } = threadView([message]);
  expect(callsIn(messages)).toMatchObject([{ callId: 'srv', title: 'web_search', result: { output: { ok: true } } }]);
  expect(callsIn(messages)[0]).not.toHaveProperty('input');
});
