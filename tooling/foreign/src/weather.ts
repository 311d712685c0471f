import type { LLMock } from '@copilotkit/aimock';
import {
  createRegistry,
  defineTool,
  emptySettings,
  type Model,
  resolveToolset,
  type Run,
  run,
  type RunOptions,
} from '@utensil/core';
import * as z from 'zod/mini';

export const question = 'How is the weather?';
export const cities = ['Oslo', 'Rome'];
export const remark = 'Let me look.';
export const answer = 'There is snow in Oslo, and the sun shines in Rome, where it is warm.';

/** The server's final answer. */
type Delivery = Parameters<LLMock['on']>[2];

/** Asks for the weather of both cities in one turn, and answers once it has the results. */
export function tellWeather(mock: LLMock, delivery?: Delivery): void {
  const toolCalls = cities.map((city) => ({ name: 'forecast', arguments: { city } }));
  mock.on({ userMessage: question, hasToolResult: false }, { content: remark, toolCalls });
  mock.on({ userMessage: question, hasToolResult: true }, { content: answer }, delivery);
}

/** A run with a weather tool, and the cities that it was asked for. */
export function askWeather(model: Model, options: Pick<Partial<RunOptions>, 'messages' | 'reasoning' | 'limits'> = {}) {
  const asked: string[] = [];
  const forecast = defineTool({
    name: 'forecast',
    description: 'Tells the weather of a city.',
    input: z.toJSONSchema(z.object({ city: z.string() })),
    effects: 'read',
    execute({ city }) {
      asked.push(city);
      return forecastOf(city);
    },
  });
  const toolset = resolveToolset(createRegistry([forecast]), emptySettings, {});
  const started: Run = run({ model, toolset, messages: question, limits: { retries: 0 }, ...options });
  return { ...started, asked };
}

export function forecastOf(city: string): string {
  return `The weather of ${city} is fine.`;
}
