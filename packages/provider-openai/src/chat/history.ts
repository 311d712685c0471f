import {
  callsOf,
  textOf,
  type ContentPart,
  type Message,
  type ModelInfo,
  type ToolCallPart,
  type ToolResultPart,
} from '@utensil/core';
import {
  isContent,
  isMedia,
  isReadable,
  memoize,
  partOptions,
  toWords,
  wellFormed,
  withPartOptions,
} from '@utensil/core/provider';
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import { argumentsOf, shorten, toName } from '../calls.ts';
import { ownContent } from './content.ts';
import { audioFormatOf, isImage, nameOf, urlOf } from '../media.ts';

type ChatMessage = ChatCompletionMessageParam;

/** A message as this API takes it. `media` has to wait until all results of the turn have been given. */
interface Mapped {
  readonly messages: readonly ChatMessage[];
  readonly media: readonly ChatCompletionContentPart[];
}

/** In characters. */
export const idLimit = 40;

/** Every model and every compatible server knows `system`; OpenAI reads it as `developer` if the model needs that. */
const systemRole = 'system';

/** Changes to an assistant message that a server needs beyond OpenAI's format. */
export type Extension = (message: Message) => object;

/** Recipient of the messages. */
export interface Reader {
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
  /** True if recordings are sent as audio. */
  readonly hears: boolean;
  readonly extend?: Extension | undefined;
}

/** Maps instructions and the messages of a thread to messages of the API. */
export function messagesMapper(reader: Reader): (system: string, messages: readonly Message[]) => ChatMessage[] {
  const map = memoize((message: Message) => wellFormed(toMapped(message, reader)));
  return function toMessages(system, messages) {
    const result: ChatMessage[] = system === '' ? [] : [{ role: systemRole, content: wellFormed(system) }];
    let waiting: ChatCompletionContentPart[] = [];
    for (const message of messages) {
      if (message.role !== 'tool' && waiting.length > 0) {
        result.push(shown(waiting));
        waiting = [];
      }
      const mapped = map(message);
      result.push(...mapped.messages);
      waiting.push(...mapped.media);
    }
    if (waiting.length > 0) result.push(shown(waiting));
    return result;
  };
}

/** Messages with media of results, by their first part. */
const shownBefore = /* @__PURE__ */ new WeakMap<ChatCompletionContentPart, ShownMedia>();

interface ShownMedia {
  readonly role: 'user';
  readonly content: ChatCompletionContentPart[];
}

/** The same message for the same parts, so that its text is written once. */
function shown(content: ChatCompletionContentPart[]): ShownMedia {
  const [first] = content as [ChatCompletionContentPart];
  const before = shownBefore.get(first);
  if (before?.content.length === content.length && content.every((part, at) => part === before.content[at]))
    return before;
  const message = { role: 'user', content } as const;
  shownBefore.set(first, message);
  return message;
}

function toMapped(message: Message, reader: Reader): Mapped {
  const { model, hears, extend } = reader;
  if (message.role === 'user')
    return { messages: [{ role: 'user', content: userContent(message, reader) }], media: [] };
  if (message.role === 'assistant') {
    const messages = assistant(message, model);
    return { messages: extend ? messages.map((each) => ({ ...each, ...extend(message) })) : messages, media: [] };
  }
  const results = message.parts.filter((part) => part.type === 'tool-result');
  const mapped = results.map((result) => toResult(result, hears));
  return { messages: mapped.flatMap(({ messages }) => messages), media: mapped.flatMap(({ media }) => media) };
}

/** Everything but text and calls is for the eyes of people, or of the model that wrote it. */
function assistant(message: Message, model: Reader['model']): ChatMessage[] {
  const text = textOf(message.parts);
  const calls = callsOf(message);
  if (text === '' && calls.length === 0) return [];
  const content = (ownContent(message, model) as readonly object[] | undefined as AssistantContent | undefined) ?? text;
  if (calls.length > 0) return [{ role: 'assistant', content: content || null, tool_calls: calls.map(toCall) }];
  return [{ role: 'assistant', content }];
}

type AssistantContent = NonNullable<Extract<ChatMessage, { role: 'assistant' }>['content']>;

function toCall(call: ToolCallPart): ChatCompletionMessageToolCall {
  const id = shorten(call.callId, idLimit);
  return { id, type: 'function', function: { name: toName(call), arguments: argumentsOf(call) } };
}

function userContent({ parts }: Message, { hears, model: { api } }: Reader): string | ChatCompletionContentPart[] {
  const content = parts.filter(isContent);
  const [only] = content;
  if (only === undefined) return ''; // for the API refuses an empty list
  return content.length === 1 && only.type === 'text' && partOptions(only, api) === undefined
    ? only.text
    : content.map((part) => toShown(part, toMedia(part, hears), api));
}

function toShown(
  part: ContentPart,
  media: ChatCompletionContentPart | undefined,
  api: string,
): ChatCompletionContentPart {
  if (media !== undefined) return withPartOptions(media, part, api);
  const text = { type: 'text', text: toWords(part) } as const;
  return part.type === 'text' ? withPartOptions(text, part, api) : text;
}

/**
 * A part that the model is shown directly. Of documents, this API takes the data of PDFs; everything else becomes
 * words.
 */
function toMedia(part: ContentPart, hears: boolean): ChatCompletionContentPart | undefined {
  if (!isMedia(part) || !isReadable(part)) return undefined;
  if (isImage(part)) return { type: 'image_url', image_url: { url: urlOf(part) } };
  const { mediaType, data } = part;
  if (data === undefined) return undefined;
  if (mediaType === 'application/pdf')
    return { type: 'file', file: { filename: nameOf(part), file_data: urlOf(part) } };
  const format = hears ? audioFormatOf(part) : undefined;
  return format && { type: 'input_audio', input_audio: { data, format } };
}

/** A result can have only text; its other parts follow in a user message. */
function toResult({ name, callId, modelParts }: ToolResultPart, hears: boolean): Mapped {
  const id = shorten(callId, idLimit);
  const shown = modelParts.map((part) => ({ part, media: toMedia(part, hears) }));
  const words = shown.map(({ part, media }) => (media ? `[${part.type} in the next message]` : toWords(part)));
  const media = shown.flatMap((each) => each.media ?? []);
  return {
    messages: [{ role: 'tool', tool_call_id: id, content: words.join('\n') }],
    media: media.length === 0 ? [] : [{ type: 'text', text: `From the result of ${name} (call ${id}):` }, ...media],
  };
}
