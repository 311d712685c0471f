import { type ContentPart, type JsonObject, type Message, type ToolResultPart, callsOf } from '@utensil/core';
import {
  isContent,
  memoize,
  calledName,
  partOptions,
  toWords,
  wellFormed,
  wireName,
  withPartOptions,
} from '@utensil/core/provider';
import { isShown, kindOf } from '../media.ts';
import { nameInHistory } from '../name.ts';
import { isEarly, unsigned } from '../thinking.ts';
import { type State, type Step, api, stateOf } from './state.ts';

/** The input of a request, and the interaction that it continues. */
export interface Input {
  readonly steps: Step[];
  readonly previousId?: string;
}

/** Maps the messages of a thread to steps: all of them, or those since the last answer that Google keeps. */
export function historyMapper(modelId: string, isStored: boolean): (messages: readonly Message[]) => Input {
  const toSteps = memoize((message: Message) => wellFormed(mapMessage(message, modelId)));
  return function toInput(messages) {
    const last = isStored ? messages.findLastIndex((message) => idOf(message, modelId) !== undefined) : -1;
    const kept = messages[last];
    const previousId = kept && idOf(kept, modelId);
    const steps = messages.slice(last + 1).flatMap(toSteps);
    return { steps, ...(previousId !== undefined && { previousId }) };
  };
}

function idOf(message: Message, modelId: string): string | undefined {
  return stateOf(message, modelId)?.id;
}

function mapMessage(message: Message, modelId: string): Step[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'user_input', content: toContent(message.parts.filter(isContent)) }];
    case 'tool':
      return message.parts.filter((part) => part.type === 'tool-result').map(toResult);
    case 'assistant': {
      const state = stateOf(message, modelId);
      return (state && echo(state, message, modelId)) ?? signed(message.parts.flatMap(fromPart), modelId);
    }
  }
}

/**
 * The steps of the response, unchanged, except that calls have the input that ran. Undefined if a call of the message
 * is not among them.
 */
function echo({ steps }: State, message: Message, modelId: string): Step[] | undefined {
  const inputs = new Map(callsOf(message).map(({ callId, input }) => [callId, input]));
  const echoed = steps.flatMap((step): Step[] => {
    // A thought that is not signed says nothing to the model.
    if (step.type !== 'function_call') return step.type === 'thought' && !step['signature'] ? [] : [step];
    const input = inputs.get(String(step['id']));
    if (input === undefined || !inputs.delete(String(step['id']))) return [];
    return [{ ...step, name: nameInHistory(String(step['name'])), arguments: input }];
  });
  return inputs.size > 0 ? undefined : signed(echoed, modelId);
}

function fromPart(part: Message['parts'][number]): Step[] {
  if (part.type === 'text') return part.text === '' ? [] : [output(part.text)];
  if (isContent(part)) return [output(toWords(part))];
  if (part.type !== 'tool-call' || part.executedBy !== 'us') return [];
  return [{ type: 'function_call', id: part.callId, name: wireName(calledName(part)), arguments: part.input }];
}

function output(text: string): Step {
  return { type: 'model_output', content: [{ type: 'text', text }] };
}

/** Gemini refuses calls before which nothing is signed. */
function signed(steps: Step[], modelId: string): Step[] {
  const first = steps.findIndex(({ type }) => type === 'function_call');
  const isSigned = steps.some(({ signature }, index) => index <= first && typeof signature === 'string');
  if (first === -1 || isSigned || isEarly(modelId)) return steps;
  return steps.toSpliced(first, 0, { type: 'thought', signature: unsigned });
}

function toResult(result: ToolResultPart): Step {
  const { callId, modelParts, isError } = result;
  const [only] = modelParts;
  const isText =
    modelParts.length === 1 && only?.type === 'text' && only.text !== '' && partOptions(only, api) === undefined;
  return {
    type: 'function_result',
    call_id: callId,
    name: wireName(calledName(result)),
    ...(isError && { is_error: true }),
    result: isText ? only.text : toContent(modelParts),
  };
}

/** Never empty. */
function toContent(parts: readonly ContentPart[]): JsonObject[] {
  const mapped = parts.filter((part) => part.type !== 'text' || part.text !== '').map(toItem);
  return mapped.length > 0 ? mapped : [{ type: 'text', text: '(empty)' }];
}

function toItem(part: ContentPart): JsonObject {
  if (part.type === 'text') return withPartOptions<JsonObject>({ type: 'text', text: part.text }, part, api);
  if (!isShown(part)) return { type: 'text', text: toWords(part) };
  const type = kindOf(part) ?? 'document';
  const { mediaType: mime_type, data, url: uri } = part;
  const item = uri === undefined ? { type, mime_type, data: data ?? '' } : { type, mime_type, uri };
  return withPartOptions<JsonObject>(item, part, api);
}
