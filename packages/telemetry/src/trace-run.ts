import { context as contexts, diag, metrics, trace } from '@opentelemetry/api';
import type { Context, Meter, Tracer } from '@opentelemetry/api';
import { messageOf } from '@utensil/core';
import type { Run } from '@utensil/core';
import { instrumentsOf } from './instruments.ts';
import { traceEvents } from './run-trace.ts';
import type { RunTrace } from './run-trace.ts';
import { optional } from './telemetry.ts';
import type { Telemetry } from './telemetry.ts';

/** Options of {@link traceRun}. */
export interface TraceOptions {
  /** Default: from the global provider. */
  readonly tracer?: Tracer;
  /** Default: from the global provider. */
  readonly meter?: Meter;
  /** True to include the content of messages and tool calls in spans. Default: false. */
  readonly captureContent?: boolean;
  /** `gen_ai.agent.name`: display name of the run's agent. */
  readonly agentName?: string;
  /** `gen_ai.conversation.id`, for example the thread id. */
  readonly conversationId?: string;
  /** `gen_ai.provider.name`, if the wire format does not identify the provider, as for `groq`. */
  readonly provider?: string;
  /** Parent context of the run. Default: the active one. */
  readonly context?: Context;
}

/**
 * Records spans and metrics of a run by the GenAI semantic conventions of OpenTelemetry, with the times of its events.
 * Resolves once the run is over and fully recorded. Never rejects, and never affects the run: its own failures are
 * reported to OpenTelemetry's `diag`.
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
