import { type AnyTextAdapter, chat, EventType, maxIterations, toolDefinition } from '@tanstack/ai';
import { isStepCount, streamText, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { callAt, finalText, fragments, question, toolDescription, toolName } from '../run-loop/work.ts';
import { peerSchema } from '../run-loop/variants/peer-schema.ts';
import type { Loop } from './loop.ts';
import { pause } from './work.ts';
import type { Playing } from './work.ts';

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

/** `streamText` of the AI SDK. */
export const aiLoop: Loop = (onStart) => {
  const forecast = tool({
    description: toolDescription(0),
    inputSchema: peerSchema(),
    async execute(input) {
      await onStart(input);
      return 'fine';
    },
  });
  return async (playing) => {
    let step = 0;
    const model: MockLanguageModelV4 = new MockLanguageModelV4({
      async doStream() {
        model.doStreamCalls.length = 0; // the mock keeps every request
        return { stream: streamOf(aiParts(step++, playing)) };
      },
    });
    const result = streamText({
      model,
      tools: { [toolName(0)]: forecast },
      prompt: question,
      stopWhen: isStepCount(playing.calls + 1),
    });
    for await (const part of result.stream) if (part.type === 'error') throw part.error;
  };
};

function streamOf(parts: AsyncGenerator<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function* aiParts(step: number, { calls, tailMs = 0, onInput }: Playing): AsyncGenerator<StreamPart> {
  const { callId: id, name, text } = callAt(step, { tools: 1 });
  yield { type: 'stream-start', warnings: [] };
  if (step >= calls) {
    yield { type: 'text-start', id };
    for (const delta of fragments(finalText({ calls }))) yield { type: 'text-delta', id, delta };
    yield { type: 'text-end', id };
  } else {
    yield { type: 'tool-input-start', id, toolName: name };
    const pieces = fragments(text);
    for (const [index, delta] of pieces.entries()) {
      if (index === pieces.length - 1) onInput?.();
      yield { type: 'tool-input-delta', id, delta };
    }
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName: name, input: text };
    if (tailMs > 0) await pause(tailMs);
  }
  const unified = step < calls ? ('tool-calls' as const) : ('stop' as const);
  yield { type: 'finish', finishReason: { unified, raw: unified }, usage };
}

/** `chat` of TanStack AI. */
export const tanstackLoop: Loop = (onStart) => {
  const definition = toolDefinition({
    name: toolName(0),
    description: toolDescription(0),
    inputSchema: peerSchema(),
  });
  const forecast = definition.server(async (input) => {
    await onStart(input);
    return 'fine';
  });
  return async (playing) => {
    const stream = chat({
      adapter: adapterOf(playing),
      messages: [{ role: 'user', content: question }],
      tools: [forecast],
      agentLoopStrategy: maxIterations(playing.calls + 1),
    });
    for await (const chunk of stream) if (chunk.type === EventType.RUN_ERROR) throw new Error(chunk.message);
  };
};

function adapterOf(playing: Playing): AnyTextAdapter {
  let next = 0;
  return {
    kind: 'text',
    name: 'playing',
    model: 'playing',
    '~types': {} as AnyTextAdapter['~types'], // satisfies the compiler only
    async *chatStream({ model, threadId = 'thread' }) {
      const step = next++;
      const isCall = step < playing.calls;
      const base = { model, timestamp: Date.now() };
      const run = { ...base, runId: `run_${step}`, threadId };
      yield { type: EventType.RUN_STARTED, ...run };
      if (isCall) yield* callChunks(step, playing, base);
      else yield* textChunks(finalText(playing), base);
      if (isCall && playing.tailMs) await pause(playing.tailMs);
      const counted = { promptTokens: 100, completionTokens: 10, totalTokens: 110 };
      yield { type: EventType.RUN_FINISHED, ...run, usage: counted, finishReason: isCall ? 'tool_calls' : 'stop' };
    },
    structuredOutput: () => Promise.reject(new Error('There is none in this script.')),
  };
}

interface Base {
  readonly model: string;
  readonly timestamp: number;
}

function* callChunks(step: number, { onInput }: Playing, base: Base) {
  const { callId, name, text } = callAt(step, { tools: 1 });
  const call = { toolCallId: callId, toolCallName: name, toolName: name };
  yield { type: EventType.TOOL_CALL_START, ...call, ...base, index: 0 } as const;
  const pieces = fragments(text);
  for (const [index, delta] of pieces.entries()) {
    if (index === pieces.length - 1) onInput?.();
    yield { type: EventType.TOOL_CALL_ARGS, toolCallId: callId, ...base, delta } as const;
  }
  yield { type: EventType.TOOL_CALL_END, ...call, ...base, input: JSON.parse(text) as unknown } as const;
}

function* textChunks(text: string, base: Base) {
  const messageId = 'final';
  yield { type: EventType.TEXT_MESSAGE_START, messageId, ...base, role: 'assistant' } as const;
  for (const delta of fragments(text))
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, ...base, delta } as const;
  yield { type: EventType.TEXT_MESSAGE_END, messageId, ...base } as const;
}
