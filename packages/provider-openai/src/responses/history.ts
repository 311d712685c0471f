import { type ContentPart, type Message, type ToolCallPart, type ToolResultPart, callsOf } from '@utensil/core';
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import { argumentsOf, urlOf } from '../definition.ts';
import { remembering } from '../memory.ts';
import { echo } from './echo.ts';

/** A call of ours that the API wants answered otherwise than a plain one: custom, or issued by a program. */
export type SpecialCall = Extract<ResponseOutputItem, { type: 'function_call' | 'custom_tool_call' }>;

/** An assistant message as input, and those of its calls whose results need more than the call id. */
interface Turn {
  readonly items: readonly ResponseInputItem[];
  readonly special: ReadonlyMap<string, SpecialCall>;
}

const none: ReadonlyMap<string, SpecialCall> = new Map();

/** Maps the messages of a thread to input items. */
export function historyMapper(modelId: string): (messages: readonly Message[]) => ResponseInputItem[] {
  const toTurn = remembering((message: Message): Turn => turnOf(message, modelId));
  const toUser = remembering((message: Message): ResponseInputItem => ({
    role: 'user',
    content: userContent(message),
  }));
  const toOutputs = remembering((message: Message) => outputsOf(message, none));
  return function toInput(messages) {
    const input: ResponseInputItem[] = [];
    let special = none;
    for (const message of messages) {
      if (message.role === 'user') input.push(toUser(message));
      else if (message.role === 'tool')
        input.push(...(special.size > 0 ? outputsOf(message, special) : toOutputs(message)));
      else {
        const turn = toTurn(message);
        input.push(...turn.items);
        special = turn.special;
      }
    }
    return input;
  };
}

/** The model's own items where this model has written them, else what every model understands of the message. */
function turnOf(message: Message, modelId: string): Turn {
  const { origin } = message;
  const isOwn = origin?.api === 'openai-responses' && origin.model === modelId && Array.isArray(origin.state);
  const items = isOwn
    ? echo(origin.state as readonly object[] as readonly ResponseOutputItem[], callsOf(message))
    : undefined;
  if (items === undefined) return { items: message.parts.flatMap(fromPart), special: none };
  const special = items.filter(isSpecial).map((item) => [item.call_id, item] as const);
  return { items: items as readonly object[] as readonly ResponseInputItem[], special: new Map(special) };
}

function isSpecial(item: ResponseOutputItem): item is SpecialCall {
  return item.type === 'custom_tool_call' || (item.type === 'function_call' && item.caller?.type === 'program');
}

function fromPart(part: Message['parts'][number]): ResponseInputItem[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
  return part.type === 'tool-call' && part.executedBy === 'us' ? [fromCall(part)] : [];
}

function fromCall(call: ToolCallPart): ResponseInputItem {
  return { type: 'function_call', call_id: call.callId, name: call.name, arguments: argumentsOf(call) };
}

function userContent({ parts }: Message): string | ReturnType<typeof toContent>[] {
  const content = parts.filter(isContent);
  const [only] = content;
  return content.length === 1 && only?.type === 'text' ? only.text : content.map(toContent);
}

function isContent(part: Message['parts'][number]): part is ContentPart {
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

function toContent(part: ContentPart) {
  if (part.type === 'text') return { type: 'input_text', text: part.text } as const;
  if (part.type === 'image') return { type: 'input_image', image_url: urlOf(part), detail: 'auto' } as const;
  if (part.url !== undefined) return { type: 'input_file', file_url: part.url } as const;
  return { type: 'input_file', filename: part.name ?? 'file', file_data: urlOf(part) } as const;
}

function outputsOf({ parts }: Message, special: ReadonlyMap<string, SpecialCall>): ResponseInputItem[] {
  return parts
    .filter((part) => part.type === 'tool-result')
    .map((result) => toOutput(result, special.get(result.callId)));
}

function toOutput({ callId, modelParts }: ToolResultPart, call: SpecialCall | undefined): ResponseInputItem {
  const [only] = modelParts;
  const isText = modelParts.length === 1 && only?.type === 'text';
  const output = isText ? only.text : modelParts.map(toContent);
  if (call?.type === 'custom_tool_call') return { type: 'custom_tool_call_output', call_id: callId, output };
  const caller = call?.caller?.type === 'program' ? { caller: call.caller } : undefined;
  return { type: 'function_call_output', call_id: callId, output, ...caller };
}
