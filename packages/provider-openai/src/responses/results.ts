import { type Json, isObject } from '@utensil/core';
import type { FoundResult } from '@utensil/core/provider';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';

/** Members of a finished call of OpenAI's own tools that are its result. Images are files of their own. */
const members = ['output', 'outputs', 'results', 'error'] as const;

/** The results of OpenAI's own tools, which are in the items of their calls, or in an item behind a program. */
export function resultsIn(event: ResponseStreamEvent): readonly FoundResult[] {
  if (event?.type !== 'response.output_item.done') return []; // gateways send `null` between events
  const item: object = event.item;
  if (!isObject(item)) return [];
  const { type, id, call_id: called, status } = item;
  const kind = String(type);
  if (kind === 'program_output') return [found('program', called, { output: item['result'] ?? null })];
  if (!kind.endsWith('_call') || /^(?:function|custom_tool)_call$/.test(kind)) return [];
  const told = Object.fromEntries(members.flatMap((name) => (item[name] == null ? [] : [[name, item[name]]])));
  const { action } = item;
  if (isObject(action) && Array.isArray(action['sources'])) told['sources'] = action['sources'];
  if (Object.keys(told).length === 0) return [];
  const isError = status === 'failed' || 'error' in told;
  return [{ ...found(kind.replace(/_call$/, ''), called ?? id, told), isError }];
}

function found(name: string, callId: unknown, told: Readonly<Record<string, unknown>>): FoundResult {
  const [only, ...others] = Object.values(told);
  const output = (others.length === 0 ? only : told) as Json;
  return { name, output, ...(typeof callId === 'string' && { callId }) };
}
