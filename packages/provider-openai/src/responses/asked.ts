import { type Json, type ModelPart, type ToolDefinition, type ToolResultPart, isObject, textOf } from '@utensil/core';
import { parseToolInput } from '@utensil/core/provider';
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import { ownName } from '../calls.ts';

// Requests of OpenAI other than function calls: whether its MCP client may make a call, and searches for tools.

type Item = ResponseOutputItem;
type Approval = Extract<Item, { type: 'mcp_approval_request' }>;
type Search = Extract<Item, { type: 'tool_search_call' }>;

/** An item other than a function call that waits for our answer. */
export type AskedItem = Approval | Search;

/** The name of the tool that says whether a call of OpenAI's MCP client may run. */
const approvalTool = 'mcp_approval';

export function isAsked(item: Item): item is AskedItem {
  return item.type === 'mcp_approval_request' || (item.type === 'tool_search_call' && item.execution === 'client');
}

/** Reference to the item in the answer. */
export function askedId(item: AskedItem): string {
  return item.type === 'tool_search_call' ? (item.call_id ?? item.id) : item.id;
}

/** The item as a call for us to run. */
export function askedCall(item: AskedItem, tools: readonly ToolDefinition[]): ModelPart {
  const call = { type: 'tool-call', callId: askedId(item), executedBy: 'us' } as const;
  if (item.type === 'tool_search_call') {
    const search = tools.find((tool) => tool.type === 'native' && tool.definition['type'] === 'tool_search');
    return { ...call, name: search?.name ?? 'tool_search', ...parseToolInput(item.arguments ?? {}) };
  }
  const { server_label: server, name: tool, arguments: text } = item;
  const { input, invalidInput } = parseToolInput(text);
  return { ...call, name: approvalTool, input: { server, tool, arguments: invalidInput ?? input } };
}

/** The answer: a result is a yes, and an error a no with its reason; what a search returns are definitions of tools. */
export function askedOutput(item: AskedItem, { modelParts, output, isError }: ToolResultPart): ResponseInputItem {
  if (item.type === 'mcp_approval_request') {
    const { id: approval_request_id } = item;
    const reason = isError && { reason: textOf(modelParts) };
    return { type: 'mcp_approval_response', approval_request_id, approve: !isError, ...reason };
  }
  const { call_id } = item;
  const tools = isError ? [] : definitionsIn(output);
  return { type: 'tool_search_output', call_id, execution: 'client', status: 'completed', tools } as ResponseInputItem;
}

function definitionsIn(output: Json): readonly object[] {
  const listed = isObject(output) ? output['tools'] : output;
  return Array.isArray(listed) ? listed.filter(isObject) : [];
}

/**
 * True if the server runs a call itself: xAI writes the calls of its searches like those of custom tools, by undefined
 * names.
 */
export function isServerRun({ name }: { readonly name: string }, tools: readonly ToolDefinition[]): boolean {
  const own = ownName(name, tools);
  return !tools.some((tool) => tool.name === own) && tools.some(isHosted);
}

function isHosted(tool: ToolDefinition): boolean {
  return tool.type === 'native' && tool.definition['type'] !== 'function' && tool.definition['type'] !== 'custom';
}
