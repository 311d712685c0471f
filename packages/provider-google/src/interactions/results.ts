import { type Json, isObject } from '@utensil/core';
import type { FoundResult } from '@utensil/core/provider';

/** Finds the results of Google's own tools, which are steps of one turn: each is told when its step is over. */
export function resultFinder(): (event: unknown) => readonly FoundResult[] {
  const steps = new Map<unknown, Record<string, unknown>>();
  return function resultsIn(event) {
    if (!isObject(event)) return [];
    const { event_type: type, index, step, delta } = event;
    if (type === 'step.start' && isObject(step) && isResult(step)) steps.set(index, step);
    const begun = steps.get(index);
    if (begun === undefined) return [];
    if (type === 'step.delta' && isObject(delta)) steps.set(index, { ...begun, ...delta, type: begun['type'] });
    if (type !== 'step.stop') return [];
    steps.delete(index);
    return [resultOf(begun)];
  };
}

function isResult({ type }: Record<string, unknown>): boolean {
  return String(type).endsWith('_result') && type !== 'function_result';
}

function resultOf({ type, call_id: callId, result = null, is_error: isError }: Record<string, unknown>): FoundResult {
  const name = String(type).replace(/_result$/, '');
  return { name, output: result as Json, isError: isError === true, ...(typeof callId === 'string' && { callId }) };
}
