import * as z from 'zod/mini';

/** Work of a run: this many calls, one per step, and a final text. */
export interface Work {
  readonly calls: number;
  /** Number of registered tools. */
  readonly tools: number;
}

/** Input of every tool. */
export interface Input {
  readonly city: string;
  readonly days: number;
  readonly unit?: 'metric' | 'imperial' | undefined;
}

/** The user's message in every variant. */
export const question = 'How is the weather in all of these cities?';

export function toolName(index: number): string {
  return `forecast_${index}`;
}

export function toolDescription(index: number): string {
  return `Tells the weather of the coming days in a city, from source number ${index}.`;
}

/** The call of a step, from 0: its tool, and its arguments as streamed text. */
export function callAt(step: number, { tools }: Pick<Work, 'tools'>) {
  const input = { city: `City ${step}`, days: 1 + (step % 14), unit: 'metric' };
  return { callId: `call_${step}`, name: toolName(step % tools), text: JSON.stringify(input) };
}

/** Splits a text into the fragments of a stream. */
export function fragments(text: string): readonly string[] {
  return text.match(/.{1,8}/gsu) ?? [];
}

/** Output of every tool. */
export function forecast({ city }: Input) {
  return { ok: true, echo: city };
}

export function finalText({ calls }: Pick<Work, 'calls'>): string {
  return `I asked ${calls} times, and the weather is fine.`;
}

/** Schema of a tool. Each tool has its own, as in real apps. */
export function inputSchema() {
  return z.object({
    city: z.string().check(z.describe('The name of the city')),
    days: z.int().check(z.describe('How many days')),
    unit: z.optional(z.enum(['metric', 'imperial'])),
  });
}

/** 0, 1, 2 … */
export function indices(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
