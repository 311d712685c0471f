import { isContainer, isObject, isTooDeep, mostLevels } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ToolCall } from './model.ts';

type ToolInput = Pick<ToolCall, 'input' | 'invalidInput'>;

/**
 * Parses the arguments of a call, from streamed JSON text or from a value sent by the API. Empty text means no
 * arguments. Anything but a JSON object of at most 500 levels is kept as `invalidInput`, for the model to see and
 * correct.
 */
export function parseToolInput(given: unknown): ToolInput {
  if (typeof given !== 'string') return isObject(given) ? boundInput(given as JsonObject) : invalid(given);
  if (given.trim() === '') return { input: {} };
  const input = parsed(given);
  return isObject(input) && !isTooDeep(input) ? { input: input } : { input: {}, invalidInput: given };
}

/** Arguments unchanged, unless they are nested too deeply. */
export function boundInput(input: JsonObject): ToolInput {
  return isTooDeep(input) ? invalid(input) : { input };
}

function invalid(value: unknown): ToolInput {
  return { input: {}, invalidInput: JSON.stringify(shallow(value, mostLevels + 1) ?? null) };
}

/** Number of levels to keep: enough to show the excess, few enough to serialize. */
function shallow(value: unknown, levels: number): unknown {
  if (!isContainer(value)) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shallow(member, levels - 1)]));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
