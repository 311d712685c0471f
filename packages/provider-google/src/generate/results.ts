import { type Json, isObject } from '@utensil/core';
import type { FoundResult } from '@utensil/core/provider';

/** The results of Google's own tools, which are parts of an answer. */
export function resultsIn(chunk: unknown): readonly FoundResult[] {
  const candidates = isObject(chunk) && Array.isArray(chunk['candidates']) ? chunk['candidates'] : [];
  const [candidate] = candidates as readonly unknown[];
  const content = isObject(candidate) && isObject(candidate['content']) ? candidate['content'] : {};
  return Array.isArray(content['parts']) ? content['parts'].flatMap(resultOf) : [];
}

function resultOf(part: unknown): readonly FoundResult[] {
  if (!isObject(part)) return [];
  const { codeExecutionResult: ran, toolResponse: told } = part;
  if (isObject(ran)) {
    const { id, outcome, output = '' } = ran;
    const isError = outcome !== undefined && outcome !== 'OUTCOME_OK';
    return [{ name: 'code_execution', output: output as Json, isError, ...idOf(id) }];
  }
  if (!isObject(told)) return [];
  const { id, toolType = 'tool', response = null } = told;
  return [{ name: String(toolType).toLowerCase(), output: response as Json, ...idOf(id) }];
}

function idOf(id: unknown): { readonly callId?: string } {
  return typeof id === 'string' ? { callId: id } : {};
}
