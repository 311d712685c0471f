import { type Json, type JsonObject, type ModelPart, type ToolDefinition, isObject } from '@utensil/core';
import { joinArguments, newCallId, parseToolInput } from '@utensil/core/provider';
import { hostedName, toolName } from '../hosted.ts';
import type { Step } from './state.ts';

/** A step that is being written. */
export interface Slot {
  readonly index: number | undefined;
  step: Step;
  /** Characters of a call's arguments so far. */
  readonly fragments: string[];
  isDone: boolean;
}

/** State that all steps of a response share. */
export interface Steps {
  readonly tools: readonly ToolDefinition[];
  readonly slots: Slot[];
  readonly cited: Set<string>;
}

/** A step has begun, perhaps with its complete content. */
export function beginStep(begun: Step, index: number | undefined, steps: Steps): ModelPart[] {
  const step = begun.type === 'function_call' ? { ...begun, id: freeId(begun, steps) } : begun;
  steps.slots.push({ index, step, fragments: [], isDone: false });
  if (step.type === 'function_call') {
    return [
      { type: 'tool-input-start', callId: String(step['id']), name: toolName(String(step['name']), steps.tools) },
    ];
  }
  if (step.type === 'thought') return listOf(step['summary']).flatMap((item) => showThought(item));
  return step.type === 'model_output' ? listOf(step['content']).flatMap((item) => show(item, steps)) : [];
}

/** Gateways leave ids out, or use one twice. */
function freeId({ id }: Step, { slots }: Steps): string {
  return typeof id === 'string' && id !== '' && slots.every(({ step }) => step['id'] !== id) ? id : newCallId();
}

/** More of a step. Members of deltas that this does not know replace those of the step. */
export function growStep({ type, ...delta }: JsonObject, slot: Slot, steps: Steps): ModelPart[] {
  const { step } = slot;
  switch (type) {
    case 'arguments_delta': {
      const came = delta['arguments'] ?? '';
      const fragment = typeof came === 'string' ? came : JSON.stringify(came);
      if (fragment !== '') slot.fragments.push(fragment);
      return fragment === '' ? [] : [{ type: 'tool-input-delta', callId: String(step['id']), delta: fragment }];
    }
    case 'thought_summary':
      slot.step = { ...step, summary: grown(listOf(step['summary']), delta['content']) };
      return showThought(delta['content']);
    case 'text_annotation_delta': {
      const annotations = listOf(delta['annotations']);
      slot.step = { ...step, content: annotated(listOf(step['content']), annotations) };
      return cite(annotations, steps);
    }
    default: {
      if (step.type === 'model_output' && type !== 'thought_signature') {
        const item = { type: type ?? 'text', ...delta };
        slot.step = { ...step, content: grown(listOf(step['content']), item) };
        return show(item, steps);
      }
      slot.step = { ...step, ...delta };
      return [];
    }
  }
}

/** Ends a step, and emits its call or its citations. */
export function endStep(slot: Slot, steps: Steps, isCut = false): ModelPart[] {
  if (slot.isDone) return [];
  slot.isDone = true;
  const { type } = slot.step;
  if (type === 'function_call') return [endCall(slot, steps, isCut)];
  if (type === 'url_context_result') return cite(listOf(slot.step['result']), steps);
  return type.endsWith('_call') ? [hosted(slot.step, steps)] : [];
}

function endCall(slot: Slot, { tools }: Steps, isCut: boolean): ModelPart {
  const { id, name } = slot.step;
  const parsed = readInput(slot, isCut);
  slot.step = { ...slot.step, arguments: parsed.input };
  return { type: 'tool-call', callId: String(id), name: toolName(String(name), tools), ...parsed, executedBy: 'us' };
}

/** Some calls begin with all of their input. Without text there is no input, unless the text is still to come. */
function readInput({ step, fragments }: Slot, isCut: boolean): ReturnType<typeof parseToolInput> {
  if (fragments.length > 0) return parseToolInput(joinArguments(fragments));
  const { arguments: whole } = step;
  const isText = typeof whole === 'string' && whole.trim() !== '';
  if (isText || (isObject(whole) && Object.keys(whole).length > 0)) return parseToolInput(whole);
  return isCut ? { input: {}, invalidInput: '' } : { input: {} };
}

/** A call of a tool that Google runs itself. Its result is for the model, in a step of its own. */
function hosted({ type, id, name, arguments: input }: Step, { tools }: Steps): ModelPart {
  const called = typeof name === 'string' ? name : hostedName(type.replace(/_call$/, ''), tools);
  const call = { callId: String(id), name: called, input: isObject(input) ? input : {} };
  return { type: 'tool-call', ...call, executedBy: 'provider' };
}

function show(item: Json | undefined, steps: Steps): ModelPart[] {
  if (!isObject(item)) return [];
  const { type, text, data, uri, mime_type: mediaType } = item;
  if (type === 'text') {
    const said: ModelPart[] = typeof text === 'string' && text !== '' ? [{ type: 'text-delta', text }] : [];
    return [...said, ...cite(listOf(item['annotations']), steps)];
  }
  if (typeof mediaType !== 'string') return [];
  if (typeof data === 'string') return [{ type: 'file', mediaType, data }];
  return typeof uri === 'string' ? [{ type: 'file', mediaType, url: uri }] : [];
}

function showThought(item: Json | undefined): ModelPart[] {
  const text = isObject(item) ? item['text'] : undefined;
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning-delta', text }] : [];
}

/** The pages that were not named before. */
function cite(citations: readonly Json[], { cited }: Steps): ModelPart[] {
  return citations.flatMap((citation): ModelPart[] => {
    const { url, title, status } = isObject(citation) ? citation : {};
    if (typeof url !== 'string' || cited.has(url) || (status !== undefined && status !== 'success')) return [];
    cited.add(url);
    return [{ type: 'source', url, ...(typeof title === 'string' && { title }) }];
  });
}

/** Text grows on the text before it. */
function grown(items: readonly Json[], item: Json | undefined): Json[] {
  const last = items.at(-1);
  if (!isObject(item)) return [...items];
  if (!isObject(last) || item['type'] !== 'text' || last['type'] !== 'text') return [...items, item];
  return [...items.slice(0, -1), { ...last, ...item, text: `${wordsOf(last)}${wordsOf(item)}` }];
}

function wordsOf({ text }: JsonObject): string {
  return typeof text === 'string' ? text : '';
}

function annotated(items: readonly Json[], annotations: readonly Json[]): Json[] {
  const last = items.at(-1);
  if (!isObject(last)) return [...items];
  return [...items.slice(0, -1), { ...last, annotations: [...listOf(last['annotations']), ...annotations] }];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
