import type { ContentBlockParam, ToolUseBlockParam } from '@anthropic-ai/sdk/resources/messages';
import {
  callsOf,
  isObject,
  type Message,
  type ModelRequest,
  type Part,
  type ToolCallPart,
  type ToolDefinition,
} from '@utensil/core';
import { describePart, isContent, getOrInsert, calledName, wellFormed, wireName } from '@utensil/core/provider';
import { isBlank, toBlocks, toId, toToolResult } from './content.ts';
import { asInput } from './input-blocks.ts';
import { type State, stateOf } from './state.ts';
import { nameOnWire } from './tools.ts';
import { type Turn, withoutLostCalls } from './turns.ts';

/** Mapped form of each message for one model, so that a long thread is mapped once. */
export type KeptMessages = WeakMap<Message, ContentBlockParam[]>;

/** Messages as turns of user and assistant. All results of a turn are in one user message, before any text. */
export function toMessages(
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
  modelId: string,
  kept: KeptMessages,
): Turn[] {
  const toBlocksOf = (message: Message) => wellFormed(toContent(message, modelId));
  const turns: Turn[] = [];
  for (const message of messages) {
    const content = withKnownFinds(getOrInsert(kept, message, toBlocksOf), tools);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content = [...last.content, ...content];
    else if (content.length > 0) turns.push({ role, content });
  }
  const last = turns.at(-1);
  if (last?.role === 'assistant') last.content = withoutTrailingSpace(last.content);
  return withoutLostCalls(turns);
}

/** Tools that a search found may be gone since; the API refuses references to tools that the request does not have. */
function withKnownFinds(content: ContentBlockParam[], tools: readonly ToolDefinition[]): ContentBlockParam[] {
  if (!content.some(isFound)) return content;
  const known = new Set(tools.map(nameOnWire));
  return content.map((block) => {
    if (!isFound(block)) return block;
    const found = block.content.tool_references;
    const left = found.filter(({ tool_name }) => known.has(tool_name));
    return left.length === found.length ? block : { ...block, content: { ...block.content, tool_references: left } };
  });
}

type Found = Extract<ContentBlockParam, { type: 'tool_search_tool_result' }> & {
  readonly content: { readonly type: 'tool_search_tool_search_result' };
};

function isFound(block: ContentBlockParam): block is Found {
  return block.type === 'tool_search_tool_result' && block.content.type === 'tool_search_tool_search_result';
}

/** The container of the exchange that is going on. Later exchanges begin without one: it may be gone by then. */
export function containerOf(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0 && messages[index]?.role !== 'user'; index--) {
    const container = stateOf(messages[index])?.container;
    if (container !== undefined) return container;
  }
  return undefined;
}

function toContent(message: Message, modelId: string): ContentBlockParam[] {
  switch (message.role) {
    case 'user':
      return toBlocks(message.parts.filter(isContent));
    case 'tool':
      return message.parts.filter((part) => part.type === 'tool-result').map(toToolResult);
    case 'assistant': {
      const state = stateOf(message);
      const blocks = state === undefined ? undefined : fromState(state, message, modelId);
      return blocks ?? message.parts.flatMap(fromPart);
    }
  }
}

/** A part of an assistant message of any provider. A call of another provider's own server has no place here. */
function fromPart(part: Part): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    case 'image':
    case 'audio':
    case 'file':
    case 'resource-link':
      return [{ type: 'text', text: describePart(part) }];
    case 'tool-call':
      return part.executedBy === 'us' ? [toToolUse(part)] : [];
    default:
      return [];
  }
}

function toToolUse(call: ToolCallPart): ToolUseBlockParam {
  return { type: 'tool_use', id: toId(call.callId), name: wireName(calledName(call)), input: inputOf(call) };
}

function inputOf({ input, invalidInput }: ToolCallPart): ToolUseBlockParam['input'] {
  return invalidInput === undefined ? input : { INVALID_JSON: invalidInput };
}

/**
 * The blocks of a response, unchanged, without those that only another model can read. Undefined if a call of the
 * message has no block: its result would refer to nothing.
 */
function fromState({ content }: State, message: Message, modelId: string): ContentBlockParam[] | undefined {
  const calls = new Map(callsOf(message).map((call) => [call.callId, call]));
  const isSameModel = message.origin?.model === modelId;
  const blocks = content.filter(isBlock).flatMap((block): ContentBlockParam[] => {
    switch (block.type) {
      case 'text':
        return isBlank(block.text) ? [] : [block];
      case 'thinking': // a block without a signature was truncated, and would be refused
        return isSameModel && block.signature !== '' ? [block] : [];
      case 'redacted_thinking':
        return isSameModel ? [block] : [];
      case 'tool_use': {
        const call = calls.get(block.id);
        calls.delete(block.id);
        return call === undefined ? [] : [{ ...block, ...adapted(block), input: inputOf(call) }];
      }
      default:
        return [asInput(block)];
    }
  });
  return calls.size === 0 ? blocks : undefined;
}

/** A model may call a tool by a name, and a server of others give an id, that the API does not take back. */
function adapted({ id, name }: ToolUseBlockParam): Pick<ToolUseBlockParam, 'id' | 'name'> {
  return { id: toId(id), name: wireName(name) };
}

function isBlock(value: unknown): value is ContentBlockParam {
  return isObject(value) && typeof value['type'] === 'string';
}

/** A paused turn is sent back to be continued; the API refuses one that ends in white space. */
function withoutTrailingSpace(content: ContentBlockParam[]): ContentBlockParam[] {
  const last = content.at(-1);
  return last?.type === 'text' ? [...content.slice(0, -1), { ...last, text: last.text.trimEnd() }] : content;
}
