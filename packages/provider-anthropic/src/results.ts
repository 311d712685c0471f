import { type Json, isObject } from '@utensil/core';
import type { FoundResult } from '@utensil/core/provider';

/** The results of Anthropic's own tools: each is whole in the event that begins its block, or in a message that begins with it. */
export function resultsIn(event: unknown): readonly FoundResult[] {
  if (!isObject(event)) return [];
  const { type, content_block: block, message } = event;
  if (type === 'content_block_start') return resultOf(block);
  const content = type === 'message_start' && isObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.flatMap(resultOf) : [];
}

function resultOf(block: unknown): readonly FoundResult[] {
  if (!isObject(block) || !String(block['type']).endsWith('_tool_result')) return [];
  const { type, tool_use_id: callId, content = null, is_error: isError } = block;
  const failed = isError === true || (isObject(content) && String(content['type']).endsWith('_error'));
  const name = String(type).replace(/_tool_result$/, '');
  return [{ name, output: content as Json, isError: failed, ...(typeof callId === 'string' && { callId }) }];
}
