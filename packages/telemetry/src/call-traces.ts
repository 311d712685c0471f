import { SpanKind, trace } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import type { RunEvent } from '@utensil/core';
import { otherError } from './conventions.ts';
import { failSpan, optional } from './telemetry.ts';
import type { SpanError, Telemetry } from './telemetry.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** Spans of the calls of a run. */
export interface CallTraces {
  start(event: Of<'tool-start'>): void;
  end(event: Of<'tool-end'>): void;
  /** Context for spans inside a call, even after its end. */
  contextOf(callId: string): Context;
  /** Ends all open spans when the run is over. */
  close(time: number): void;
}

interface OpenCall {
  readonly span: Span;
  readonly name: string;
  readonly started: number;
}

/** Traces calls; nested calls become child spans. */
export function traceCalls(telemetry: Telemetry, run: Context): CallTraces {
  const { tracer, instruments, captureContent, common, agentName } = telemetry;
  const contexts = new Map<string, Context>();
  const open = new Map<string, OpenCall>();

  const contextOf = (callId = ''): Context => contexts.get(callId) ?? run;

  function begin({ callId, name, parentCallId }: Of<'tool-start'> | Of<'tool-end'>, started: number): OpenCall {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      ...common,
    };
    const parent = contextOf(parentCallId);
    const options = { kind: SpanKind.INTERNAL, startTime: started, attributes };
    const span = tracer.startSpan(`execute_tool ${name}`, options, parent);
    const call = { span, name, started };
    contexts.set(callId, trace.setSpan(parent, span));
    open.set(callId, call);
    return call;
  }

  function finish(callId: string, { span, name, started }: OpenCall, how: { time: number; error?: SpanError }): void {
    open.delete(callId);
    if (how.error !== undefined) failSpan(span, how.error, telemetry);
    span.end(how.time);
    instruments.toolDuration.record((how.time - started) / 1000, {
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      ...optional('gen_ai.agent.name', agentName),
      ...optional('error.type', how.error?.type),
    });
  }

  return {
    contextOf,
    start(event) {
      const { span } = begin(event, event.time);
      span.setAttribute('utensil.tool.effects', event.effects);
      if (event.repairs.length > 0) span.setAttribute('utensil.tool.repairs', event.repairs.length);
      if (captureContent) span.setAttribute('gen_ai.tool.call.arguments', JSON.stringify(event.input));
    },
    end(event) {
      const { callId, result, time } = event;
      const isInvented = result.code === 'unknown_tool' && !captureContent; // an invented name may contain anything
      const call = open.get(callId) ?? begin(isInvented ? { ...event, name: otherError } : event, time);
      const text = result.modelParts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (captureContent) call.span.setAttribute('gen_ai.tool.call.result', JSON.stringify(result.output));
      finish(callId, call, { time, ...(result.isError && { error: { type: result.code ?? otherError, text } }) });
    },
    close(time) {
      for (const [callId, call] of [...open]) finish(callId, call, { time, error: { type: 'tool_cancelled' } });
    },
  };
}
