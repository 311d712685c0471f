import { type AnyTextAdapter, chat, EventType, maxIterations, toolDefinition } from '@tanstack/ai';
import { openaiCompatible } from '@tanstack/ai-openai/compatible';
import {
  callAt,
  finalText,
  forecast,
  fragments,
  indices,
  question,
  toolDescription,
  toolName,
  type Work,
} from '../work.ts';
import { peerSchema } from './peer-schema.ts';
import type { Loop, Setup, Variant } from './variant.ts';

export const http: Variant = (setup) =>
  loopOver(setup, (_, baseURL) => openaiCompatible({ baseURL, apiKey: 'none', models: ['gpt-5.1'] })('gpt-5.1'));

export const scripted: Variant = (setup) => loopOver(setup, (work) => scriptedAdapter(work, setup));

function loopOver({ tools, onCall }: Setup, adapterOf: (work: Work, baseUrl: string) => AnyTextAdapter): Loop {
  const defined = indices(tools).map((index) => toolAt(index, onCall));
  return {
    async run(work, baseUrl) {
      let text = '';
      const stream = chat({
        adapter: adapterOf(work, baseUrl),
        messages: [{ role: 'user', content: question }],
        tools: defined,
        agentLoopStrategy: maxIterations(work.calls + 1),
      });
      for await (const chunk of stream) {
        if (chunk.type === EventType.RUN_ERROR) throw new Error(chunk.message);
        if (chunk.type === EventType.TEXT_MESSAGE_CONTENT) text += chunk.delta;
      }
      return text;
    },
  };
}

function toolAt(index: number, onCall: Setup['onCall']) {
  const definition = toolDefinition({
    name: toolName(index),
    description: toolDescription(index),
    inputSchema: peerSchema(),
  });
  return definition.server((input) => {
    onCall(input);
    return forecast(input);
  });
}

/** An adapter that emits the same chunks as `openaiCompatible`. */
function scriptedAdapter(work: Work, { onRequest }: Setup): AnyTextAdapter {
  let next = 0;
  return {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    '~types': {} as AnyTextAdapter['~types'], // satisfies the compiler only
    async *chatStream({ model, threadId = 'thread' }) {
      onRequest();
      const step = next++;
      const isCall = step < work.calls;
      const base = { model, timestamp: Date.now() };
      const run = { ...base, runId: `run_${step}`, threadId };
      const usage = { promptTokens: 100, completionTokens: 10, totalTokens: 110 };
      yield { type: EventType.RUN_STARTED, ...run };
      yield* isCall ? callChunks(step, work, base) : textChunks(`message_${step}`, finalText(work), base);
      yield { type: EventType.RUN_FINISHED, ...run, usage, finishReason: isCall ? 'tool_calls' : 'stop' };
    },
    structuredOutput: () => Promise.reject(new Error('There is none in this script.')),
  };
}

interface Base {
  readonly model: string;
  readonly timestamp: number;
}

function* callChunks(step: number, work: Work, base: Base) {
  const { callId, name, text } = callAt(step, work);
  const call = { toolCallId: callId, toolCallName: name, toolName: name };
  yield { type: EventType.TOOL_CALL_START, ...call, ...base, index: 0 } as const;
  for (const delta of fragments(text))
    yield { type: EventType.TOOL_CALL_ARGS, toolCallId: callId, ...base, delta } as const;
  yield { type: EventType.TOOL_CALL_END, ...call, ...base, input: JSON.parse(text) as unknown } as const;
}

function* textChunks(messageId: string, text: string, base: Base) {
  yield { type: EventType.TEXT_MESSAGE_START, messageId, ...base, role: 'assistant' } as const;
  for (const delta of fragments(text))
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, ...base, delta } as const;
  yield { type: EventType.TEXT_MESSAGE_END, messageId, ...base } as const;
}
