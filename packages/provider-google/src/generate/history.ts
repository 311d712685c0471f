import {
  type ContentPart,
  type Message,
  type ToolResultPart,
  callsOf,
  textOf,
  wellFormed,
  wireName,
} from '@utensil/core';
import type { Content, FunctionResponsePart, Part } from '@google/genai';
import { type Media, inWords, kindOf } from '../media.ts';
import { remembering } from '../memory.ts';
import { isEarly, unsigned } from '../thinking.ts';
import { type State, stateOf } from './state.ts';

/** How a call stands in a request: its answer has to name it the same. */
interface Sent {
  readonly name: string;
  readonly id?: string;
}

/** An assistant message as the API takes it. */
interface Turn {
  readonly parts: readonly Part[];
  readonly calls: ReadonlyMap<string, Sent>;
}

const noCalls: Turn['calls'] = new Map();

/**
 * Maps the messages of a thread to contents. All calls of a turn are in one content of the model, and all results in
 * the one behind it.
 */
export function historyMapper(modelId: string): (messages: readonly Message[]) => Content[] {
  const said = remembering(({ parts }: Message) => wellFormed(toParts(parts.filter(isContent))));
  const turn = remembering((message: Message) => toTurn(message, modelId));
  return function toContents(messages) {
    const contents: Content[] = [];
    let calls = noCalls;
    let open: Part[] | undefined; // of the content that the next message of the same role goes on with
    let before: Message['role'] | undefined;
    let waiting: Part[] = [];
    const add = (role: string, parts: readonly Part[]) => {
      if (parts.length === 0) return;
      // The API refuses calls that are not behind the user.
      if (role === 'model' && contents.length === 0) contents.push({ role: 'user', parts: [{ text: '…' }] });
      open = [...parts];
      contents.push({ role, parts: open });
    };
    for (const message of messages) {
      if (message.role !== 'tool') {
        add('user', waiting);
        waiting = [];
      }
      const isSame = message.role === before && open !== undefined;
      before = message.role;
      if (message.role === 'user') add('user', said(message));
      else {
        const { parts, media } = message.role === 'tool' ? answers(message, calls, modelId) : fromTurn(turn(message));
        if (message.role === 'assistant') calls = turn(message).calls;
        if (isSame) open?.push(...parts);
        else add(message.role === 'tool' ? 'user' : 'model', parts);
        waiting.push(...media);
      }
    }
    add('user', waiting);
    return contents;
  };
}

interface Mapped {
  readonly parts: readonly Part[];
  /** What has to wait until all results of the turn have been given. */
  readonly media: readonly Part[];
}

function fromTurn({ parts }: Turn): Mapped {
  return { parts, media: [] };
}

function isContent(part: Message['parts'][number]): part is ContentPart {
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

/** Never empty, which the API refuses. */
function toParts(parts: readonly ContentPart[]): Part[] {
  const mapped = parts.filter((part) => part.type !== 'text' || part.text !== '').map(toPart);
  return mapped.length > 0 ? mapped : [{ text: '(empty)' }];
}

function toPart(part: ContentPart): Part {
  if (part.type === 'text') return { text: part.text };
  return kindOf(part) === undefined ? { text: inWords(part) } : toData(part);
}

function toData({ mediaType: mimeType, data, url }: Media): FunctionResponsePart & Part {
  return url === undefined ? { inlineData: { mimeType, data: data ?? '' } } : { fileData: { mimeType, fileUri: url } };
}

function toTurn(message: Message, modelId: string): Turn {
  const state = stateOf(message, modelId);
  return (state && echo(state, message, modelId)) ?? rebuild(message, modelId);
}

/** The parts as they came, but calls with the input that ran. Undefined where a call of the message is not among them. */
function echo({ parts, callIds }: State, message: Message, modelId: string): Turn | undefined {
  const inputs = new Map(callsOf(message).map(({ callId, input }) => [callId, input]));
  const calls = new Map<string, Sent>();
  let index = 0;
  const echoed = parts.flatMap((part): Part[] => {
    if (part.functionCall === undefined) return [part];
    const callId = callIds[index++] ?? '';
    const args = inputs.get(callId);
    if (args === undefined) return [];
    const { id, name = '' } = part.functionCall;
    calls.set(callId, { name, ...(id !== undefined && { id }) });
    return [{ ...part, functionCall: { ...part.functionCall, args: wellFormed(args) } }];
  });
  if (calls.size < inputs.size) return undefined;
  return { parts: calls.size < callIds.length ? signed(echoed, modelId) : echoed, calls };
}

/** What every model understands of a message. Its calls have no ids, which not every model takes. */
function rebuild(message: Message, modelId: string): Turn {
  const calls = new Map<string, Sent>();
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
    if (part.type === 'image' || part.type === 'file') return [{ text: inWords(part) }];
    if (part.type !== 'tool-call' || part.executedBy !== 'us') return [];
    const name = wireName(part.name);
    calls.set(part.callId, { name });
    return [{ functionCall: { name, args: part.input } }];
  });
  return { parts: signed(wellFormed(parts), modelId), calls };
}

/** Gemini refuses calls of which the first has no signature. */
function signed(parts: readonly Part[], modelId: string): readonly Part[] {
  const first = parts.find((part) => part.functionCall !== undefined);
  if (first === undefined || first.thoughtSignature !== undefined || isEarly(modelId)) return parts;
  return parts.map((part) => (part === first ? { ...part, thoughtSignature: unsigned } : part));
}

function answers({ parts }: Message, calls: Turn['calls'], modelId: string): Mapped {
  const results = parts.filter((part) => part.type === 'tool-result');
  const shown = results.map((result) => mediaOf(result).filter((part) => kindOf(part) !== undefined));
  const isInside = (part: Media) => !isEarly(modelId) && ['image', 'document'].includes(kindOf(part) ?? '');
  return wellFormed({
    parts: results.map((result, index) => toResponse(result, calls.get(result.callId), shown[index]?.filter(isInside))),
    media: shown.flatMap((media, index) => {
      const outside = media.filter((part) => !isInside(part)).map(toData);
      return outside.length === 0 ? [] : [{ text: `From ${results[index]?.name ?? 'a tool'}:` }, ...outside];
    }),
  });
}

function toResponse(result: ToolResultPart, call: Sent | undefined, media: readonly Media[] = []): Part {
  const words = mediaOf(result).filter((part) => kindOf(part) === undefined);
  const said = [textOf(result.modelParts), ...words.map(inWords)].filter((text) => text !== '').join('\n');
  return {
    functionResponse: {
      ...(call ?? { name: wireName(result.name) }),
      response: { [result.isError ? 'error' : 'output']: said || '(empty)' },
      ...(media.length > 0 && { parts: media.map(toData) }),
    },
  };
}

function mediaOf({ modelParts }: ToolResultPart): readonly Media[] {
  return modelParts.filter((part) => part.type !== 'text');
}
