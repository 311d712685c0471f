import { callsOf, textOf, type ContentPart, type Message, type ToolCallPart, type ToolResultPart } from '@utensil/core';
import { type Media, describeFile, isContent, remembering, textInFile, wellFormed } from '@utensil/core/provider';
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import { argumentsOf, shorten, toName } from '../calls.ts';
import { isImage, nameOf, urlOf } from '../media.ts';

type ChatMessage = ChatCompletionMessageParam;

/** A message as this API takes it. `media` has to wait until all results of the turn have been given. */
interface Mapped {
  readonly messages: readonly ChatMessage[];
  readonly media: readonly ChatCompletionContentPart[];
}

/** In characters. */
export const idLimit = 40;

/** `system` is what every model and every compatible server knows; OpenAI reads it as `developer` where it is that. */
const systemRole = 'system';

/** What a server wants in a message of the model's beyond what OpenAI takes. */
export type Extension = (message: Message) => object;

/** Maps instructions and the messages of a thread to messages of the API. */
export function messagesMapper(extend?: Extension): (system: string, messages: readonly Message[]) => ChatMessage[] {
  const map = remembering((message: Message) => wellFormed(toMapped(message, extend)));
  return function toMessages(system, messages) {
    const result: ChatMessage[] = system === '' ? [] : [{ role: systemRole, content: wellFormed(system) }];
    let waiting: ChatCompletionContentPart[] = [];
    for (const message of messages) {
      if (message.role !== 'tool' && waiting.length > 0) {
        result.push({ role: 'user', content: waiting });
        waiting = [];
      }
      const mapped = map(message);
      result.push(...mapped.messages);
      waiting.push(...mapped.media);
    }
    if (waiting.length > 0) result.push({ role: 'user', content: waiting });
    return result;
  };
}

function toMapped(message: Message, extend?: Extension): Mapped {
  if (message.role === 'user') return { messages: [{ role: 'user', content: userContent(message) }], media: [] };
  if (message.role === 'assistant') {
    const messages = assistant(message);
    return { messages: extend ? messages.map((each) => ({ ...each, ...extend(message) })) : messages, media: [] };
  }
  const results = message.parts.filter((part) => part.type === 'tool-result');
  return { messages: results.map(toolMessage), media: results.flatMap(mediaOf) };
}

/** Everything but text and calls is for the eyes of people, or of the api that wrote it. */
function assistant(message: Message): ChatMessage[] {
  const content = textOf(message.parts);
  const calls = callsOf(message);
  if (calls.length > 0) return [{ role: 'assistant', content: content || null, tool_calls: calls.map(toCall) }];
  return content === '' ? [] : [{ role: 'assistant', content }];
}

function toCall(call: ToolCallPart): ChatCompletionMessageToolCall {
  const id = shorten(call.callId, idLimit);
  return { id, type: 'function', function: { name: toName(call), arguments: argumentsOf(call) } };
}

function userContent({ parts }: Message): string | ChatCompletionContentPart[] {
  const content = parts.filter(isContent);
  const [only] = content;
  if (only === undefined) return ''; // for the API refuses an empty list
  return content.length === 1 && only.type === 'text' ? only.text : content.map(toContent);
}

function toContent(part: ContentPart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (isImage(part)) return { type: 'image_url', image_url: { url: urlOf(part) } };
  return toDocument(part);
}

/** Of documents, this API takes the data of PDFs; texts can be read to it. */
function toDocument(part: Media): ChatCompletionContentPart {
  if (part.data !== undefined && part.mediaType === 'application/pdf')
    return { type: 'file', file: { filename: nameOf(part), file_data: urlOf(part) } };
  const text = textInFile(part);
  return { type: 'text', text: text === undefined ? describeFile(part) : `${nameOf(part)}:\n${text}` };
}

/** A result takes nothing but text; what else there is follows in a message of the user's. */
function toolMessage({ callId, modelParts }: ToolResultPart): ChatMessage {
  const text = modelParts.map((part) => (part.type === 'text' ? part.text : `[${part.type} in the next message]`));
  return { role: 'tool', tool_call_id: shorten(callId, idLimit), content: text.join('\n') };
}

function mediaOf({ name, callId, modelParts }: ToolResultPart): ChatCompletionContentPart[] {
  const media = modelParts.filter((part): part is Media => part.type !== 'text');
  if (media.length === 0) return [];
  return [
    { type: 'text', text: `From the result of ${name} (call ${shorten(callId, idLimit)}):` },
    ...media.map(toContent),
  ];
}
