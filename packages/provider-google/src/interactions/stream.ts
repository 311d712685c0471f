import { type FinishReason, type JsonObject, type ModelPart, type ToolDefinition, isObject } from '@utensil/core';
import type { Interactions } from '@google/genai';
import { type TurnReader, reportedError } from '@utensil/core/provider';
import { type Slot, type Steps, beginStep, endStep, growStep } from './steps.ts';
import { isStep, toState } from './state.ts';
import { toUsage } from './usage.ts';

/** Properties of the request that a stream answers. */
export interface Asked {
  readonly tools: readonly ToolDefinition[];
  /** Google keeps the interaction, so that the next may name it. */
  readonly isStored: boolean;
}

interface Turn extends Steps {
  readonly asked: Asked;
  usage: Interactions.Usage;
  id?: string;
  /** As the interaction ended. */
  status?: string;
  detail?: string;
  hasBegun?: boolean;
}

/** Reads the events of the Interactions API. */
export function eventReader(asked: Asked) {
  const turn: Turn = {
    asked,
    tools: asked.tools,
    slots: [],
    cited: new Set(),
    usage: {},
  };
  return {
    read: (event) => (isObject(event) && turn.status === undefined ? read(event as JsonObject, turn) : []),
    progress: () => (turn.status !== undefined ? 'whole' : turn.hasBegun ? 'begun' : 'none'),
    end: () => [finish(turn.status ?? 'completed', turn)],
  } satisfies TurnReader;
}

/** Events that this does not know are the API's news. */
function read(event: JsonObject, turn: Turn): ModelPart[] {
  const { event_type: type, step, delta, interaction } = event;
  const index = typeof event['index'] === 'number' ? event['index'] : undefined;
  const slot = turn.slots.findLast((each) => each.index === index && !each.isDone);
  turn.hasBegun = true;
  switch (type) {
    case 'step.start':
      return isStep(step) ? beginStep(step, index, turn) : [];
    case 'step.delta':
      return isObject(delta) ? grow(delta, slot ?? unannounced(delta, index, turn), turn) : [];
    case 'step.stop':
      return slot === undefined ? [] : endStep(slot, turn);
    case 'interaction.completed':
      return readEnd(isObject(interaction) ? interaction : {}, turn);
    case 'error':
      throw reportedError(event['error']);
    default:
      return [];
  }
}

function grow(delta: JsonObject, slot: Slot | undefined, turn: Turn): ModelPart[] {
  return slot === undefined ? [] : growStep(delta, slot, turn);
}

/** Starts an output if a proxy has lost its start. */
function unannounced({ type }: JsonObject, index: number | undefined, turn: Turn): Slot | undefined {
  if (type !== 'text') return undefined;
  beginStep({ type: 'model_output', content: [] }, index, turn);
  return turn.slots.at(-1);
}

function readEnd({ id, status, usage, steps, error }: JsonObject, turn: Turn): ModelPart[] {
  if (isObject(usage)) turn.usage = usage;
  if (turn.asked.isStored && typeof id === 'string') turn.id = id;
  turn.status = typeof status === 'string' ? status : 'completed';
  const isCut = reasons.get(turn.status) === 'length';
  // Some answers have steps here, and no events for them. Only calls have ids, so only calls can be matched.
  const whole = Array.isArray(steps) ? steps.filter(isStep) : [];
  const known = new Set(turn.slots.map(({ step }) => step['id']));
  const late = turn.slots.length === 0 ? whole : whole.filter(({ id: own }) => own !== undefined && !known.has(own));
  const begun = late.flatMap((step) => beginStep(step, undefined, turn));
  const ended = turn.slots.flatMap((slot) => endStep(slot, turn, isCut));
  const failure: unknown = error ?? turn.slots.find(({ step }) => isObject(step['error']))?.step['error'];
  if (isObject(failure)) turn.detail = String(failure['message'] ?? failure['code']);
  return [...begun, ...ended];
}

const reasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['completed', 'stop'],
  ['requires_action', 'stop'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['requires_continuation', 'length'],
]);

function finish(status: string, turn: Turn): ModelPart {
  const { detail } = turn;
  // An output that failed, or that is empty, would be refused.
  const steps = turn.slots
    .map(({ step }) => step)
    .filter(({ type, error, content }) => type !== 'model_output' || (!error && content));
  const state = toState(steps, turn.id);
  const said = detail ?? (reasons.has(status) ? undefined : `The interaction ended as ${status}.`);
  return {
    type: 'finish',
    reason: reasonOf(status, turn),
    usage: toUsage(turn.usage),
    ...(said !== undefined && { detail: said }),
    ...(state !== undefined && { state }),
  };
}

/** The API has no reason for a filter: an output has an error then, which says so. */
function reasonOf(status: string, { detail, slots }: Turn): FinishReason {
  if (detail !== undefined)
    return /safety|block|filter|prohibited|policy|recitation|model.?armor|jailbreak/i.test(detail)
      ? 'content-filter'
      : 'error';
  const reason = reasons.get(status) ?? 'error';
  const hasCalls = slots.some(({ step }) => step.type === 'function_call');
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason;
}
