// Compile-time tests of output types; nothing here runs.

import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import type { Json } from '../base/json.ts';
import { resume, run } from '../run/lazy-run.ts';
import type { ResumeOptions, RunOptions } from '../run/run.ts';
import { result } from './result.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';

declare const options: RunOptions;
declare const resumption: ResumeOptions;

const weather = {
  name: 'weather',
  description: 'The weather at a place.',
  input: z.object({ place: z.string() }),
  output: z.object({ celsius: z.number() }),
  effects: 'read',
} as const;

/** Holds execute to the output schema. */
export function outputs(): void {
  const tool = defineTool({ ...weather, execute: ({ place }) => ({ celsius: place.length }) });
  expectTypeOf(tool).toExtend<Tool>();
  defineTool({ ...weather, execute: async () => ({ celsius: 1 }) });
  defineTool({ ...weather, execute: () => result({ output: { celsius: 1 } }) });
  defineTool({
    ...weather,
    async *execute() {
      yield 'asked';
      return { celsius: 1 };
    },
  });
  // @ts-expect-error -- a text is no number
  defineTool({ ...weather, execute: () => ({ celsius: 'warm' }) });
  // @ts-expect-error -- nothing is returned
  defineTool({ ...weather, execute: async () => {} });
}

/** Lets execute return anything without an output schema. */
export function noOutput(): void {
  const { output: _, ...plain } = weather;
  defineTool({ ...plain, execute: () => new Map() });
}

/** Gives the value of a run the type of its output schema. */
export function values(): void {
  const output = z.object({ city: z.string() });
  expectTypeOf(run({ ...options, output }).result)
    .resolves.toHaveProperty('value')
    .toEqualTypeOf<{ city: string } | undefined>();
  expectTypeOf(resume({ ...resumption, output }).result)
    .resolves.toHaveProperty('value')
    .toEqualTypeOf<{ city: string } | undefined>();
  expectTypeOf(run(options).result).resolves.toHaveProperty('value').toEqualTypeOf<Json | undefined>();
}

/** Types the value of a run inside a run. */
export function valuesInside(): void {
  defineTool({
    ...weather,
    async execute(_input, _options, context) {
      const { result: ended } = await context.run({ messages: 'How warm?', output: weather.output });
      const { value = { celsius: 0 } } = await ended;
      expectTypeOf(value).toEqualTypeOf<{ celsius: number }>();
      return value;
    },
  });
}
