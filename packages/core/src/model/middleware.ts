import { platform } from '../base/environment.ts';
import { UtensilError } from '../base/errors.ts';
import type { Eventually } from '../base/eventually.ts';
import type { JsonObject } from '../base/json.ts';
import { noUsage } from './usage.ts';
import type { Model, ModelInfo, ModelPart, ModelRequest } from './model.ts';
import { abortedError } from './aborted-error.ts';
import { messageForModel } from '../base/host-paths.ts';

/** A layer between the loop and a model that sees every turn. See {@link withMiddleware}. */
export interface Middleware {
  /** Shown to people if it fails. */
  readonly name: string;
  /**
   * Streams a turn. `next` asks the model: with this request or a changed one, several times or not at all. Its parts
   * can be passed on, changed or dropped; `answerParts` creates an answer without the model. The last part must be a
   * `finish`.
   */
  stream(
    request: ModelRequest,
    next: (request: ModelRequest) => AsyncIterable<ModelPart>,
    context: MiddlewareContext,
  ): Eventually<AsyncIterable<ModelPart> | Iterable<ModelPart>>;
}

/** Context of a middleware, in addition to the request. */
export interface MiddlewareContext {
  readonly info: ModelInfo;
  readonly signal: AbortSignal;
}

/**
 * Wraps a model in middleware; the first one is outermost. If a middleware throws, or streams something that is not a
 * valid turn, the turn fails with `model_failed` and `Hook error in "{name}"`. Errors of the model itself pass through
 * unchanged.
 *
 * @example
 * ```ts
 * import { answerParts, withMiddleware } from '@utensil/core';
 * import type { Middleware } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const offHours: Middleware = {
 *   name: 'off hours',
 *   stream: (request, next) =>
 *     new Date().getHours() < 6 ? answerParts({ text: 'Ask me again in the morning.' }) : next(request),
 * };
 * const model = withMiddleware(scriptedModel([{ text: 'Hello!' }]), offHours);
 * ```
 */
export function withMiddleware(model: Model, ...middleware: readonly Middleware[]): Model {
  return middleware.reduceRight(behind, model);
}

function behind(model: Model, middleware: Middleware): Model {
  const { info } = model;
  return {
    info,
    async *stream(request, { signal }) {
      const asked: Asked = { thrown: [], isCut: false };
      const next = (changed: ModelRequest) => ask(model.stream(changed, { signal }), asked);
      let isFinished = false;
      try {
        for await (const part of await middleware.stream(request, next, { info, signal })) {
          if (!isPart(part)) throw new Error('it streamed a value that is not a part of a turn.');
          isFinished ||= part.type === 'finish';
          yield part;
        }
        if (!isFinished && !asked.isCut) throw new Error('its answer has no finish.');
      } catch (error) {
        if (asked.thrown.includes(error)) throw error;
        throw signal.aborted ? abortedError(info.id, signal) : hookError(middleware, error);
      }
    },
  };
}

/** Outcome of a middleware's request to the model. */
interface Asked {
  /** Error thrown by the model. */
  readonly thrown: unknown[];
  /** True if the model's stream was truncated. */
  isCut: boolean;
}

async function* ask(parts: AsyncIterable<ModelPart>, asked: Asked): AsyncIterable<ModelPart> {
  asked.isCut = true;
  try {
    for await (const part of parts) {
      if (part.type === 'finish') asked.isCut = false;
      yield part;
    }
  } catch (error) {
    asked.thrown.push(error);
    throw error;
  }
}

function hookError({ name }: Middleware, error: unknown): UtensilError {
  const message = messageForModel(error);
  return new UtensilError('model_failed', `Hook error in "${name}": ${message}`, { cause: error });
}

const partTypes: readonly string[] = [
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
  'tool-call',
  'source',
  'file',
  'provider-result',
  'finish',
] satisfies readonly ModelPart['type'][];

/** Untyped code may stream anything. */
function isPart(part: Partial<ModelPart> | null | undefined): boolean {
  return partTypes.includes(String(part?.type));
}

/** An answer that does not come from the model. If it is empty, the run ends and it is the user's turn. */
export interface MadeAnswer {
  readonly text?: string;
  /** True if the text is untrusted: its calls are then judged like those of a run that has read outside content. */
  readonly openWorld?: boolean;
  /** Checked, judged and run like the model's own. */
  readonly calls?: readonly { readonly name: string; readonly input?: JsonObject }[];
}

/**
 * Creates the parts of an answer that a {@link Middleware} gives in place of the model. It uses no tokens.
 *
 * @example
 * ```ts
 * import { answerParts } from '@utensil/core';
 *
 * answerParts({ text: 'Let me see.', calls: [{ name: 'clock' }] });
 * ```
 */
export function answerParts({ text = '', calls = [], openWorld = false }: MadeAnswer): readonly ModelPart[] {
  const { id } = platform();
  const mark = openWorld && ({ openWorld: true } as const);
  return [
    ...(text === '' ? [] : [{ type: 'text-delta', text, ...mark } as const]),
    ...calls.map(
      ({ name, input = {} }) => ({ type: 'tool-call', callId: id(), name, input, executedBy: 'us', ...mark }) as const,
    ),
    { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: noUsage },
  ];
}
