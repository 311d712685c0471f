import { context as contexts, diag, metrics, trace } from '@opentelemetry/api';
import type { Context, Meter, Tracer } from '@opentelemetry/api';
import { messageOf } from '@utensil/core';
import type { Run } from '@utensil/core';
import { instrumentsOf } from './instruments.ts';
import { traceEvents } from './run-trace.ts';
import type { RunTrace } from './run-trace.ts';
import { optional } from './telemetry.ts';
import type { Telemetry } from './telemetry.ts';

/** What {@link traceRun} may be told. */
export interface TraceOptions {
  /** Default: the one of the global provider. */
  readonly tracer?: Tracer;
  /** Default: the one of the global provider. */
  readonly meter?: Meter;
  /** Whether spans say what users, model and tools said. Default false. */
  readonly captureContent?: boolean;
  /** `gen_ai.agent.name`: who the run is, for people. */
  readonly agentName?: string;
  /** `gen_ai.conversation.id`: the id of the thread, for example. */
  readonly conversationId?: string;
  /** `gen_ai.provider.name`, where the wire format does not say who speaks it, such as `groq`. */
  readonly provider?: string;
  /** What the run is part of. Default: the active one. */
  readonly context?: Context;
}

/**
 * Makes spans and metrics of a run by the GenAI semantic conventions of OpenTelemetry, with the times of its events.
 * Resolves when the run is over and all of it is recorded. Never rejects, and never changes the run: what fails here is
 * told to `diag` of OpenTelemetry.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { traceRun } from '@utensil/telemetry';
 *
 * const turn = run({
 *   model: scriptedModel([{ text: 'Hello!' }]),
 *   toolset: resolveToolset(createRegistry(), emptySettings, {}),
 *   messages: 'Hi',
 * });
 * await traceRun(turn, { agentName: 'greeter', conversationId: 'thread-1' });
 * ```
 */
export async function traceRun(run: Pick<Run, 'events'>, options: TraceOptions = {}): Promise<void> {
  const parent = options.context ?? contexts.active();
  let traced: RunTrace | undefined;
  let last = 0;
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      diag.warn(`${scope}: ${messageOf(error)}`);
    }
  };
  try {
    const telemetry = telemetryOf(options);
    for await (const event of run.events()) {
      last = event.time;
      guarded(() => {
        traced ??= traceEvents(telemetry, event, parent);
        traced.take(event);
      });
    }
  } catch (error) {
    diag.warn(`${scope}: ${messageOf(error)}`);
  }
  guarded(() => traced?.close(last));
}

const scope = '@utensil/telemetry';

function telemetryOf({
  tracer,
  meter,
  captureContent = false,
  agentName,
  conversationId,
  provider,
}: TraceOptions): Telemetry {
  return {
    tracer: tracer ?? trace.getTracer(scope),
    instruments: instrumentsOf(meter ?? metrics.getMeter(scope)),
    captureContent,
    common: { ...optional('gen_ai.agent.name', agentName), ...optional('gen_ai.conversation.id', conversationId) },
    agentName,
    provider,
  };
}
