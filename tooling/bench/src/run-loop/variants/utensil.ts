import { createRegistry, defineTool, emptySettings, type Model, type Run, resolveToolset, run } from '@utensil/core';
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
} from '../work.ts';
import type { Loop, Setup, Variant } from './variant.ts';

/** Over core's `scriptedModel`, reading the result only. */
export const scripted: Variant = (setup) => loopOver(setup, scriptOf(setup), resultOf);
/** The same with a reader of every event. */
export const scriptedRead: Variant = (setup) => loopOver(setup, scriptOf(setup), readerOf);
/** Over the Responses API. */
export const http: Variant = (setup) => loopOver(setup, overHttp, resultOf);
export const httpRead: Variant = (setup) => loopOver(setup, overHttp, readerOf);

type Models = (work: Work, baseUrl: string) => Model;

function overHttp(_: Work, baseURL: string): Model {
  return openai('gpt-5.1', { baseURL, apiKey: 'none' });
}

function scriptOf({ onRequest }: Setup): Models {
  return (work) => {
    const { stream, ...model } = scriptedModel([...indices(work.calls).map((step) => turn(step, work)), last(work)]);
    return {
      ...model,
      stream(request, options) {
        onRequest();
        return stream(request, options);
      },
    };
  };
}

function loopOver({ tools, onCall }: Setup, modelOf: Models, textOf: (run: Run) => Promise<string>): Loop {
  const registry = createRegistry(indices(tools).map((index) => toolAt(index, onCall)));
  return {
    run(work, baseUrl) {
      const limits = { steps: work.calls + 1 };
      const toolset = resolveToolset(registry, emptySettings, {});
      return textOf(run({ model: modelOf(work, baseUrl), toolset, messages: question, limits }));
    },
  };
}

async function resultOf({ result }: Run): Promise<string> {
  const { text, error } = await result;
  if (error !== undefined) throw new Error(error.message);
  return text;
}

async function readerOf(started: Run): Promise<string> {
  for await (const event of started.events()) if (event.type === 'error') throw new Error(event.error.message);
  return resultOf(started);
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
