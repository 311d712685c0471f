import { createRegistry, defineTool, emptySettings, type Model, resolveToolset, run } from '@utensil/core';
import { type ScriptedTurn, scriptedModel } from '@utensil/core/testing';
import { openai } from '@utensil/provider-openai';
import * as z from 'zod/mini';
import {
  callAt,
  finalText,
  forecast,
  indices,
  inputSchema,
  question,
  toolDescription,
  toolName,
  type Work,
} from '../loop/work.ts';
import type { Setup, Variant } from './variant.ts';

/** Over `scriptedModel` of core. */
export const scripted: Variant = (setup) =>
  loopOver(setup, (work) => {
    const { stream, ...model } = scriptedModel([...indices(work.calls).map((step) => turn(step, work)), last(work)]);
    return {
      ...model,
      stream(request, options) {
        setup.onRequest();
        return stream(request, options);
      },
    };
  });

/** Over the Responses API. */
export const http: Variant = (setup) => loopOver(setup, (_, baseURL) => openai('gpt-5.1', { baseURL, apiKey: 'none' }));

function loopOver({ tools, onCall }: Setup, modelOf: (work: Work, baseUrl: string) => Model) {
  const registry = createRegistry(indices(tools).map((index) => toolAt(index, onCall)));
  return {
    async run(work: Work, baseUrl: string): Promise<string> {
      const limits = { steps: work.calls + 1 };
      const toolset = resolveToolset(registry, emptySettings, {});
      const { events, result } = run({ model: modelOf(work, baseUrl), toolset, messages: question, limits });
      for await (const event of events()) if (event.type === 'error') throw new Error(event.error.message);
      return (await result).text;
    },
  };
}

function toolAt(index: number, onCall: Setup['onCall']) {
  return defineTool({
    name: toolName(index),
    description: toolDescription(index),
    input: z.toJSONSchema(inputSchema()),
    effects: 'read',
    execute(input) {
      onCall(input);
      return forecast(input);
    },
  });
}

function turn(step: number, work: Work): ScriptedTurn {
  const { callId, name, text } = callAt(step, work);
  return { calls: [{ callId, name, input: text }] };
}

function last(work: Work): ScriptedTurn {
  return { text: finalText(work) };
}
