import { type ContentPart, type Message, type ToolResultPart, callsOf, textOf } from '@utensil/core';
import {
  isContent,
  memoize,
  type Media,
  calledName,
  toWords,
  wellFormed,
  wireName,
  withPartOptions,
} from '@utensil/core/provider';
import type { Content, FunctionResponsePart, Part } from '@google/genai';
import { isShown, kindOf } from '../media.ts';
import { nameInHistory } from '../name.ts';
import { isEarly, unsigned } from '../thinking.ts';
import { type State, api, stateOf } from './state.ts';

/** Identity of a call in a request: its answer must repeat the name and id. */
interface Sent {
  readonly name: string;
  readonly id?: string;
}

/** An assistant message in the API's format, and the contents that answer it. */
interface Turn {
  readonly parts: readonly Part[];
  readonly calls: ReadonlyMap<string, Sent>;
}

/** Results, and content that must wait until all results of the turn have been given. */
interface Answers {
  readonly parts: readonly Part[];
  readonly media: readonly Part[];
}

/**
 * Maps the messages of a thread to contents. All calls of a turn are in one content of the model, and all results in
 * the one behind it.
 */
export function historyMapper(modelId: string): (messages: readonly Message[]) => Content[] {
  const said = memoize(({ parts }: Message) => wellFormed(toParts(parts.filter(isContent))));
  const turnOf = memoize((message: Message) => {
    const { parts, calls } = toTurn(message, modelId);
    return { parts, answersOf: memoize((answer: Message) => toAnswers(answer, calls, modelId)) };
  });
  return function toContents(messages) {
    const contents = runsOf(messages).flatMap((run, index, runs): { role: string; parts: Part[] }[] => {
      const role = run[0]?.role;
      if (role === 'assistant') return [{ role: 'model', parts: run.flatMap((message) => turnOf(message).parts) }];
      if (role !== 'tool') return [{ role: 'user', parts: run.flatMap(said) }];
      const asked = runs[index - 1]?.at(-1);
      const answers = asked === undefined ? [] : run.map(turnOf(asked).answersOf);
      return [answers.flatMap(({ parts }) => parts), answers.flatMap(({ media }) => media)].map((parts) => ({
        role: 'user',
        parts,
      }));
    });
    const filled = contents.filter(({ parts }) => parts.length > 0);
    // The API refuses calls that do not follow the user.
    return filled[0]?.role === 'model' ? [{ role: 'user', parts: [{ text: '…' }] }, ...filled] : filled;
  };
}

/** Messages that follow each other, by one and the same. */
function runsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const runs: Message[][] = [];
  for (const message of messages) {
    const last = runs.at(-1);
    if (last?.[0]?.role === message.role) last.push(message);
    else runs.push([message]);
  }
  return runs;
}

/** Never empty, which the API refuses. */
function toParts(parts: readonly ContentPart[]): Part[] {
  const mapped = parts.filter((part) => part.type !== 'text' || part.text !== '').map(toPart);
  return mapped.length > 0 ? mapped : [{ text: '(empty)' }];
}

function toPart(part: ContentPart): Part {
  if (!isShown(part) && part.type !== 'text') return { text: toWords(part) };
  return withPartOptions<Part>(isShown(part) ? toData(part) : { text: toWords(part) }, part, api);
}

function toData({ mediaType: mimeType, data, url }: Media): FunctionResponsePart & Part {
  return url === undefined ? { inlineData: { mimeType, data: data ?? '' } } : { fileData: { mimeType, fileUri: url } };
}

function toTurn(message: Message, modelId: string): Turn {
  const state = stateOf(message, modelId);
  return (state && echo(state, message, modelId)) ?? rebuild(message, modelId);
}

/**
 * The parts of the response, unchanged, except that calls have the input that ran. Undefined if a call of the message
 * is not among them.
 */
function echo({ parts, callIds }: State, message: Message, modelId: string): Turn | undefined {
  const inputs = new Map(callsOf(message).map(({ callId, input }) => [callId, input]));
  const calls = new Map<string, Sent>();
  let index = 0;
  const echoed = parts.flatMap((part): Part[] => {
    if (part.functionCall === undefined) return [part];
    const callId = callIds[index++] ?? '';
    const args = inputs.get(callId);
    if (args === undefined) return [];
    const { id } = part.functionCall;
    const name = nameInHistory(part.functionCall.name ?? '');
    calls.set(callId, { name, ...(id !== undefined && { id }) });
    return [{ ...part, functionCall: { ...part.functionCall, name, args: wellFormed(args) } }];
  });
  if (calls.size < inputs.size) return undefined;
  return { parts: signed(echoed, modelId), calls };
}

/** The parts of a message that every model understands. Its calls have no ids, because some models refuse them. */
function rebuild(message: Message, modelId: string): Turn {
  const calls = new Map<string, Sent>();
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
    if (isContent(part)) return [{ text: toWords(part) }];
    if (part.type !== 'tool-call' || part.executedBy !== 'us') return [];
    const name = wireName(calledName(part));
    calls.set(part.callId, { name });
    return [{ functionCall: { name, args: part.input } }];
  });
  return { parts: signed(wellFormed(parts), modelId), calls };
}

/** Gemini refuses calls if the first of them has no signature. */
function signed(parts: readonly Part[], modelId: string): readonly Part[] {
  const first = parts.find((part) => part.functionCall !== undefined);
  if (first === undefined || first.thoughtSignature !== undefined || isEarly(modelId)) return parts;
  return parts.map((part) => (part === first ? { ...part, thoughtSignature: unsigned } : part));
}

function toAnswers({ parts }: Message, calls: Turn['calls'], modelId: string): Answers {
  const results = parts.filter((part) => part.type === 'tool-result');
  const mapped = results.map((result) => toAnswer(result, calls.get(result.callId), modelId));
  return wellFormed({ parts: mapped.map(({ part }) => part), media: mapped.flatMap(({ media }) => media) });
}

function toAnswer(result: ToolResultPart, call: Sent | undefined, modelId: string) {
  const media = result.modelParts.filter(isShown);
  const isInside = (part: Media) => !isEarly(modelId) && /image|document/.test(kindOf(part) ?? '');
  const inside = media.filter(isInside);
  const outside = media.filter((part) => !isInside(part));
  const words = result.modelParts.filter((part) => part.type !== 'text' && !isShown(part)).map(toWords);
  const said = [textOf(result.modelParts), ...words].filter((text) => text !== '').join('\n');
  const functionResponse = {
    ...(call ?? { name: wireName(calledName(result)) }),
    response: { [result.isError ? 'error' : 'output']: said || '(empty)' },
    ...(inside.length > 0 && { parts: inside.map(toData) }),
  };
  return {
    part: { functionResponse },
    media: outside.length > 0 ? [{ text: `From ${result.name}:` }, ...outside.map(toData)] : [],
  };
}
