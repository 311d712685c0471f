import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type LanguageModel, streamText, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
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

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
type Call = Extract<StreamPart, { readonly type: 'tool-call' }>;
type Models = (work: Work, baseURL: string) => LanguageModel;

export const scriptedGenerate: Variant = (setup) => generateLoop(setup, (work) => scriptedModel(work, setup));
export const scriptedStream: Variant = (setup) => streamLoop(setup, (work) => scriptedModel(work, setup));
export const httpGenerate: Variant = (setup) => generateLoop(setup, overHttp);
export const httpStream: Variant = (setup) => streamLoop(setup, overHttp);

function overHttp(_: Work, baseURL: string): LanguageModel {
  return createOpenAICompatible({ name: 'loopback', baseURL, apiKey: 'none' }).chatModel('gpt-5.1');
}

function generateLoop(setup: Setup, modelOf: Models): Loop {
  const tools = toolSet(setup);
  return {
    async run(work, baseUrl) {
      const stopWhen = isStepCount(work.calls + 1);
      const { text } = await generateText({ model: modelOf(work, baseUrl), tools, prompt: question, stopWhen });
      return text;
    },
  };
}

function streamLoop(setup: Setup, modelOf: Models): Loop {
  const tools = toolSet(setup);
  return {
    async run(work, baseUrl) {
      const stopWhen = isStepCount(work.calls + 1);
      const result = streamText({ model: modelOf(work, baseUrl), tools, prompt: question, stopWhen });
      for await (const part of result.stream) if (part.type === 'error') throw part.error;
      return result.text;
    },
  };
}

function toolSet({ tools, onCall }: Setup) {
  return Object.fromEntries(
    indices(tools).map((index) => {
      const defined = tool({
        description: toolDescription(index),
        inputSchema: peerSchema(),
        execute(input) {
          onCall(input);
          return forecast(input);
        },
      });
      return [toolName(index), defined];
    }),
  );
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

function scriptedModel(work: Work, { onRequest }: Setup): LanguageModel {
  let next = 0;
  function answer() {
    onRequest();
    const step = next++;
    const { callId, name, text } = callAt(step, work);
    const isCall = step < work.calls;
    const call = { type: 'tool-call', toolCallId: callId, toolName: name, input: text } as const;
    const unified = isCall ? ('tool-calls' as const) : ('stop' as const);
    return { id: `${step}`, isCall, call, finishReason: { unified, raw: unified }, usage };
  }
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { isCall, call, finishReason } = answer();
      const text = { type: 'text', text: finalText(work) } as const;
      return { content: [isCall ? call : text], finishReason, usage, warnings: [] };
    },
    doStream: async () => {
      const { id, isCall, call, finishReason } = answer();
      const chunks: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...(isCall ? callParts(call) : textParts(id, finalText(work))),
        { type: 'finish', finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks, ...withoutDelay }) };
    },
  });
}

const withoutDelay = { initialDelayInMs: null, chunkDelayInMs: null };

function callParts(call: Call): StreamPart[] {
  const { toolCallId: id, toolName, input } = call;
  const deltas = fragments(input).map((delta): StreamPart => ({ type: 'tool-input-delta', id, delta }));
  return [{ type: 'tool-input-start', id, toolName }, ...deltas, { type: 'tool-input-end', id }, call];
}

function textParts(id: string, text: string): StreamPart[] {
  const deltas = fragments(text).map((delta): StreamPart => ({ type: 'text-delta', id, delta }));
  return [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }];
}
