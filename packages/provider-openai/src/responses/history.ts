import {
  type Media,
  isContent,
  isMedia,
  isReadable,
  isTextFile,
  partOptions,
  toWords,
  wellFormed,
  withPartOptions,
} from '@utensil/core/provider';
import { type ContentPart, type Message, type ToolCallPart, type ToolResultPart, isObject } from '@utensil/core';
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import { argumentsOf, shorten, toName } from '../calls.ts';
import { type AskedItem, askedId, askedOutput, isAsked } from './asked.ts';
import { isImage, nameOf, urlOf } from '../media.ts';
import { echo } from './echo.ts';

const api = 'openai-responses';

/** A call by the model that needs another answer than a plain one: custom, issued by a program, or not a call to the API. */
export type SpecialCall = Extract<ResponseOutputItem, { type: 'function_call' | 'custom_tool_call' }> | AskedItem;

/** An assistant message as input, and those of its calls whose results need more than the call id. */
interface Turn {
  readonly items: readonly ResponseInputItem[];
  readonly special: ReadonlyMap<string, SpecialCall>;
}

/** In characters. */
const idLimit = 64;

const none: ReadonlyMap<string, SpecialCall> = new Map();

/** A history, mapped. */
interface Mapped {
  readonly messages: readonly Message[];
  readonly input: ResponseInputItem[];
  /** The calls that results behind it may answer. */
  readonly special: Turn['special'];
}

/** Maps the messages of a thread to input items; of a thread that has grown since, only the new messages. */
export function historyMapper(modelId: string): (messages: readonly Message[]) => ResponseInputItem[] {
  const byFirst = new WeakMap<Message, Mapped>(); // which tells one thread from another
  return function toInput(messages) {
    const [first] = messages;
    if (first === undefined) return [];
    const before = byFirst.get(first);
    const mapped = grow(
      before !== undefined && isBeginning(before.messages, messages) ? before : nothing,
      messages,
      modelId,
    );
    byFirst.set(first, mapped);
    return mapped.input;
  };
}

const nothing: Mapped = { messages: [], input: [], special: none };

function isBeginning(before: readonly Message[], messages: readonly Message[]): boolean {
  for (let index = 0; index < before.length; index++) if (before[index] !== messages[index]) return false;
  return true;
}

function grow(before: Mapped, messages: readonly Message[], modelId: string): Mapped {
  const input = before.input.slice();
  let { special } = before;
  for (let index = before.messages.length; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.role === 'user') input.push(wellFormed({ role: 'user', content: userContent(message) }));
    else if (message.role === 'tool') input.push(...outputsOf(message, special));
    else {
      const turn = turnOf(message, modelId);
      input.push(...turn.items);
      special = turn.special;
    }
  }
  return { messages, input, special };
}

/** The model's own items where this model has written them, else what every model understands of the message. */
function turnOf(message: Message, modelId: string): Turn {
  const { origin } = message;
  const isOwn = origin?.api === 'openai-responses' && origin.model === modelId && Array.isArray(origin.state);
  const items = isOwn ? echo(origin.state.filter(isItem), message) : undefined;
  if (items === undefined) return { items: wellFormed(message.parts.flatMap(fromPart)), special: none };
  const special = items.filter(isSpecial).map((item) => [isAsked(item) ? askedId(item) : item.call_id, item] as const);
  return {
    items: items.map(withShortId) as readonly object[] as readonly ResponseInputItem[],
    special: new Map(special),
  };
}

function isItem(value: unknown): value is ResponseOutputItem {
  return isObject(value) && typeof value['type'] === 'string';
}

function isSpecial(item: ResponseOutputItem): item is SpecialCall {
  return (
    item.type === 'custom_tool_call' ||
    isAsked(item) ||
    (item.type === 'function_call' && item.caller?.type === 'program')
  );
}

/** Some gateways give longer ids than the API takes back. */
function withShortId(item: ResponseOutputItem): ResponseOutputItem {
  const isLong = (item.type === 'function_call' || item.type === 'custom_tool_call') && item.call_id.length > idLimit;
  return isLong ? { ...item, call_id: shorten(item.call_id, idLimit) } : item;
}

function fromPart(part: Message['parts'][number]): ResponseInputItem[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
  return part.type === 'tool-call' && part.executedBy === 'us' ? [fromCall(part)] : [];
}

function fromCall(call: ToolCallPart): ResponseInputItem {
  const call_id = shorten(call.callId, idLimit);
  return { type: 'function_call', call_id, name: toName(call), arguments: argumentsOf(call) };
}

function userContent({ parts }: Message) {
  return contentOf(parts.filter(isContent));
}

/** The API refuses an empty list. */
function contentOf(parts: readonly ContentPart[]): string | ReturnType<typeof toContent>[] {
  const [only] = parts;
  if (only === undefined) return '';
  const isPlain = parts.length === 1 && only.type === 'text' && partOptions(only, api) === undefined;
  return isPlain && only.type === 'text' ? only.text : parts.map(toContent);
}

function toContent(part: ContentPart) {
  const isSent = isMedia(part) && isReadable(part) && (isImage(part) || isDocument(part));
  if (!isSent) {
    const text = { type: 'input_text', text: toWords(part) } as const;
    return part.type === 'text' ? withPartOptions(text, part, api) : text;
  }
  if (isImage(part)) {
    const image = withPartOptions({ type: 'input_image', image_url: urlOf(part) } as const, part, api);
    return { detail: 'auto', ...image } as const;
  }
  if (part.url !== undefined) return withPartOptions({ type: 'input_file', file_url: part.url } as const, part, api);
  return withPartOptions({ type: 'input_file', filename: nameOf(part), file_data: urlOf(part) } as const, part, api);
}

/** https://developers.openai.com/api/docs/guides/file-inputs: PDF, text and code, office documents. */
function isDocument(part: Media): boolean {
  return (
    isTextFile(part) || /^application\/(?:pdf|rtf|msword|vnd\.(?:ms-|openxmlformats-|oasis\.))/.test(part.mediaType)
  );
}

function outputsOf({ parts }: Message, special: ReadonlyMap<string, SpecialCall>): ResponseInputItem[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  return wellFormed(results.map((result) => toOutput(result, special.get(result.callId))));
}

function toOutput(result: ToolResultPart, call: SpecialCall | undefined): ResponseInputItem {
  if (call !== undefined && isAsked(call)) return askedOutput(call, result);
  const { callId, modelParts } = result;
  const call_id = shorten(callId, idLimit);
  const output = contentOf(modelParts);
  if (call?.type === 'custom_tool_call') return { type: 'custom_tool_call_output', call_id, output };
  const caller = call?.caller?.type === 'program' ? { caller: call.caller } : undefined;
  return { type: 'function_call_output', call_id, output, ...caller };
}
