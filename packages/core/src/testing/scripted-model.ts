import { UtensilError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { noUsage } from '../model/usage.ts';
import { parseToolInput } from '../model/tool-input.ts';
import type { FinishReason, Model, ModelInfo, ModelPart, ModelRequest } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';

/** A call by the scripted model. `input` as text is streamed verbatim, even if it is not JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly input?: JsonObject | string;
  /** Default: `call-1`, `call-2` … over the whole script. */
  readonly callId?: string;
}

/** A turn of a script. */
export interface ScriptedTurn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool-calls` if there are calls, else `stop`. */
  readonly reason?: FinishReason;
  readonly detail?: string;
  readonly usage?: Partial<Usage>;
  readonly state?: Json;
  /** The stream breaks after the text: with this error, or by ending early. */
  readonly breaks?: Error | 'truncated';
  /** The stream hangs after the text until it is aborted. */
  readonly hangs?: boolean;
}

/** A model that plays a script and records its requests. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** Throws unless every turn was played. */
  assertComplete(): void;
}

/**
 * Creates a model for tests: each request is answered by the next turn of the script. A turn may be a function of the
 * request.
 *
 * @example
 * ```ts
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const model = scriptedModel([
 *   { text: 'Let me see.', calls: [{ name: 'clock' }] },
 *   ({ messages }) => ({ text: `I saw ${messages.length} messages.` }),
 * ]);
 * ```
 */
export function scriptedModel(
  script: readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[],
  info: Partial<ModelInfo> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let calls = 0;

  function begin(request: ModelRequest): ScriptedTurn {
    const next = script[requests.length];
    requests.push(request);
    if (next === undefined) {
      throw new UtensilError('model_failed', `The script has ${script.length} turns, and was asked for one more.`);
    }
    return typeof next === 'function' ? next(request) : next;
  }

  function partsOf(turn: ScriptedTurn): readonly ModelPart[] {
    const parts = textParts(turn);
    if (turn.hangs === true || turn.breaks !== undefined) return parts;
    for (const call of turn.calls ?? []) addCall(parts, call, call.callId ?? `call-${++calls}`);
    parts.push(finishOf(turn));
    return parts;
  }

  function play(request: ModelRequest): Played {
    const turn = begin(request);
    return { turn, parts: partsOf(turn) };
  }

  return {
    info: { api: 'text', id: 'scripted', ...info },
    requests,
    stream: (request, { signal }) => ({ [Symbol.asyncIterator]: () => new Playback(() => play(request), signal) }),
    assertComplete() {
      const left = script.length - requests.length;
      if (left > 0) throw new Error(`${left} of ${script.length} scripted turns were never asked for.`);
    },
  };
}

/** A turn that is played, and its parts. */
interface Played {
  readonly turn: ScriptedTurn;
  readonly parts: readonly ModelPart[];
}

/** An iterator by hand, without closures, so that the measured cost of a step is the run's, not the script's. */
class Playback implements AsyncIterator<ModelPart> {
  readonly #play: () => Played;
  readonly #signal: AbortSignal;
  #played: Played | undefined;
  #next = 0;

  constructor(play: () => Played, signal: AbortSignal) {
    this.#play = play;
    this.#signal = signal;
  }

  next(): Promise<IteratorResult<ModelPart>> {
    try {
      const { turn, parts } = (this.#played ??= this.#play());
      const part = parts[this.#next++];
      return part === undefined ? this.#end(turn) : Promise.resolve({ done: false, value: part });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #end({ hangs, breaks }: ScriptedTurn): Promise<IteratorResult<ModelPart>> {
    if (hangs === true) await aborted(this.#signal);
    if (breaks instanceof Error) throw breaks;
    return { done: true, value: undefined };
  }
}

function textParts({ reasoning, text }: ScriptedTurn): ModelPart[] {
  const parts: ModelPart[] = [];
  if (reasoning !== undefined) parts.push({ type: 'reasoning-delta', text: reasoning });
  if (text === undefined) return parts;
  const middle = Math.ceil(text.length / 2); // two deltas, as in a real stream
  for (const piece of [text.slice(0, middle), text.slice(middle)])
    if (piece !== '') parts.push({ type: 'text-delta', text: piece });
  return parts;
}

function addCall(parts: ModelPart[], { name, input = {} }: ScriptedCall, callId: string): void {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  parts.push({ type: 'tool-input-start', callId, name });
  parts.push({ type: 'tool-input-delta', callId, delta: text });
  parts.push({ type: 'tool-call', callId, name, executedBy: 'us', ...parseToolInput(text) });
}

function finishOf({ calls = [], reason, detail, usage, state }: ScriptedTurn): ModelPart {
  return {
    type: 'finish',
    reason: reason ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    usage: { ...noUsage, ...usage },
    ...(detail !== undefined && { detail }),
    ...(state !== undefined && { state }),
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new UtensilError('aborted', 'The request was aborted.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
