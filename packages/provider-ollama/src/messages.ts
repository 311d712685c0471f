import { type Message, type ToolCallPart, type ToolResultPart, callsOf, textOf } from '@utensil/core';
import { isContent, ownReasoning, memoize, calledName, toWords, wellFormed } from '@utensil/core/provider';
import type { Message as SdkMessage, ToolCall as SdkCall } from 'ollama/browser';
import { isImage, isShown } from './media.ts';

/** The wire format, as in `ModelInfo.api`. */
export const api = 'ollama-chat';

/** A call as the server writes it: the SDK's types know no id. */
export interface WireCall extends SdkCall {
  readonly id?: string;
}

/** A message as the server takes it: the SDK's types know no id of a call. */
export interface WireMessage extends Omit<SdkMessage, 'tool_calls' | 'images'> {
  readonly images?: string[];
  readonly tool_calls?: WireCall[];
  readonly tool_call_id?: string;
}

/** Recipient of the messages. */
export interface Reader {
  readonly modelId: string;
  readonly seesImages: boolean;
}

/** A message as this API takes it. `shown` has to wait until all results of the turn have been given. */
interface Mapped {
  readonly messages: readonly WireMessage[];
  readonly shown?: Shown | undefined;
}

/** The images of a result, and the words that say whose they are. */
interface Shown {
  readonly words: string;
  readonly images: readonly string[];
}

/** Maps instructions and the messages of a thread to messages of the API. A message is mapped once. */
export function messagesMapper(reader: Reader): (system: string, messages: readonly Message[]) => WireMessage[] {
  const map = memoize((message: Message) => wellFormed(toMapped(message, reader)));
  return function toMessages(system, messages) {
    const result: WireMessage[] = system === '' ? [] : [{ role: 'system', content: wellFormed(system) }];
    let waiting: Shown[] = [];
    for (const message of messages) {
      if (message.role !== 'tool') {
        result.push(...showing(waiting));
        waiting = [];
      }
      const { messages: mapped, shown } = map(message);
      result.push(...mapped);
      if (shown) waiting.push(shown);
    }
    return [...result, ...showing(waiting)];
  };
}

/** True if some part of a conversation is an image that a model could be shown. */
export function hasImages(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) =>
    parts.some((part) =>
      part.type === 'tool-result' ? part.modelParts.some(isImage) : isContent(part) && isImage(part),
    ),
  );
}

function showing(waiting: readonly Shown[]): WireMessage[] {
  if (waiting.length === 0) return [];
  const words = waiting.map((shown) => shown.words).join('\n');
  return [{ role: 'user', content: words, images: waiting.flatMap(({ images }) => images) }];
}

function toMapped(message: Message, reader: Reader): Mapped {
  if (message.role === 'user') return { messages: [user(message, reader)] };
  if (message.role === 'assistant') return { messages: assistant(message, reader) };
  const results = message.parts.filter((part) => part.type === 'tool-result');
  const shown = results.flatMap((result) => toShown(result, reader) ?? []);
  const [first] = shown;
  return {
    messages: results.map((result) => toolMessage(result, reader)),
    shown: first && {
      words: shown.map(({ words }) => words).join('\n'),
      images: shown.flatMap(({ images }) => images),
    },
  };
}

function user({ parts }: Message, { seesImages }: Reader): WireMessage {
  const content = parts.filter(isContent);
  const images = seesImages ? content.filter(isShown).map(({ data }) => data) : [];
  const words = content.filter((part) => !(seesImages && isShown(part))).map(toWords);
  return { role: 'user', content: words.join('\n\n'), ...(images.length > 0 && { images }) };
}

/** Thoughts go back only to the model that wrote them: its template decides how many of them the model sees. */
function assistant(message: Message, { modelId }: Reader): WireMessage[] {
  const content = textOf(message.parts);
  const calls = callsOf(message);
  if (content === '' && calls.length === 0) return [];
  const thinking = ownReasoning(message, { api, id: modelId });
  return [
    {
      role: 'assistant',
      content,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
    },
  ];
}

function toCall(call: ToolCallPart): WireCall {
  return { id: call.callId, function: { name: calledName(call), arguments: call.input } };
}

/** A result is a string; images that the model can see follow in a user message. */
function toolMessage(result: ToolResultPart, { seesImages }: Reader): WireMessage {
  const { callId, modelParts } = result;
  const words = modelParts.map((part) => (seesImages && isShown(part) ? '[image in the next message]' : toWords(part)));
  return { role: 'tool', content: words.join('\n'), tool_name: calledName(result), tool_call_id: callId };
}

function toShown({ callId, name, modelParts }: ToolResultPart, { seesImages }: Reader): Shown | undefined {
  const images = seesImages ? modelParts.filter(isShown).map(({ data }) => data) : [];
  return images.length === 0 ? undefined : { words: `From the result of ${name} (call ${callId}):`, images };
}
