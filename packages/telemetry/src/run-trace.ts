import { SpanKind, trace } from '@opentelemetry/api';
import type { Attributes, Context } from '@opentelemetry/api';
import { addUsage, noUsage } from '@utensil/core';
import type { RunEvent, RunProblem } from '@utensil/core';
import { traceCalls } from './call-traces.ts';
import { toContent } from './content.ts';
import type { ContentMessage } from './content.ts';
import { otherError } from './conventions.ts';
import { failSpan, optional } from './telemetry.ts';
import type { SpanError, Telemetry } from './telemetry.ts';
import { traceTurn, usageAttributes } from './turn-trace.ts';
import type { TurnTrace } from './turn-trace.ts';

/** Spans of a run, built from its events. */
export interface RunTrace {
  take(event: RunEvent): void;
  /** Ends all open spans. */
  close(time: number, status?: string): void;
}

/** Starts the span of a run inside `parent`. */
export function traceEvents(telemetry: Telemetry, { runId, time: started }: RunEvent, parent: Context): RunTrace {
  const { tracer, instruments, captureContent, common, agentName } = telemetry;
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'utensil.run.id': runId, ...common };
  const name = agentName === undefined ? 'invoke_agent' : `invoke_agent ${agentName}`;
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, startTime: started, attributes }, parent);
  const context = trace.setSpan(parent, span);
  const calls = traceCalls(telemetry, context);
  const inside = new Map<string, RunTrace>();
  let input: ContentMessage[] = []; // not yet seen by the model
  let shown: ContentMessage[] = []; // input of the current turn
  let usage = noUsage;
  let turn: TurnTrace | undefined;
  let problem: (SpanError & { readonly seq: number }) | undefined; // last error since the turn began
  let isOver = false;

  function beginTurn(event: Extract<RunEvent, { readonly type: 'step-start' }>): void {
    failTurn({ type: otherError }, event.time); // the turn had no end event: its prompt was too long
    problem = undefined;
    span.setAttribute('gen_ai.request.model', event.model.id);
    turn = traceTurn(telemetry, event, { parent: context, input });
    shown = input;
    input = [];
  }

  /** Each attempt at a turn is a span; a retry has the same input. */
  function failTurn(error: SpanError, time: number): void {
    if (turn === undefined) return;
    turn.fail(error, time);
    turn = undefined;
    input = [...shown, ...input];
  }

  function retryTurn({ attempt, waitMs, error, time }: Extract<RunEvent, { readonly type: 'step-retry' }>): void {
    failTurn(spanErrorOf(error), time);
    const details = { 'utensil.attempt': attempt, 'utensil.wait_ms': waitMs, 'error.type': error.code };
    span.addEvent('utensil.step-retry', details, time);
  }

  /** An interrupted turn reports its error right before its end. */
  function endTurn(event: Extract<RunEvent, { readonly type: 'step-end' }>): void {
    usage = addUsage(usage, event.usage);
    const error = problem?.seq === event.seq - 1 ? problem : { type: 'model_failed' };
    turn?.end(event, event.reason === 'error' ? error : undefined);
    turn = undefined;
  }

  function takeInside({ callId, event }: Extract<RunEvent, { readonly type: 'sub-run' }>): void {
    const trace = inside.get(event.runId) ?? traceEvents(telemetry, event, calls.contextOf(callId));
    inside.set(event.runId, trace);
    trace.take(event);
  }

  /** An aborted run is not a failure, but its turn has no answer. */
  function close(time: number, status = 'aborted'): void {
    if (isOver) return;
    isOver = true;
    for (const trace of inside.values()) trace.close(time);
    turn?.fail(status === 'aborted' ? { type: 'aborted' } : (problem ?? { type: otherError }), time);
    calls.close(time);
    const error = status === 'error' ? (problem ?? { type: otherError }) : undefined;
    if (error !== undefined) failSpan(span, error, telemetry);
    span.setAttributes({ 'utensil.run.status': status, ...usageAttributes(usage) });
    span.end(time);
    const dimensions = { ...optional('gen_ai.agent.name', agentName), ...optional('error.type', error?.type) };
    instruments.agentDuration.record((time - started) / 1000, dimensions);
  }

  function take(event: RunEvent): void {
    switch (event.type) {
      case 'step-start':
        return beginTurn(event);
      case 'step-retry':
        return retryTurn(event);
      case 'step-end':
        return endTurn(event);
      case 'tool-start':
        return calls.start(event);
      case 'tool-end':
        return calls.end(event);
      case 'sub-run':
        return takeInside(event);
      case 'message':
        if (captureContent && event.message.role !== 'assistant') input.push(toContent(event.message));
        return undefined;
      case 'error':
        problem = { ...spanErrorOf(event.error), seq: event.seq };
        return undefined;
      case 'run-end':
        return close(event.time, event.status);
      default:
        if (marked.has(event.type)) span.addEvent(`utensil.${event.type}`, detailsOf(event), event.time);
        else turn?.add(event);
        return undefined;
    }
  }

  return { take, close };
}

function spanErrorOf({ code, message }: RunProblem): SpanError {
  return { type: code, text: message };
}

/** Events recorded on the span of the run. */
const marked: ReadonlySet<RunEvent['type']> = new Set([
  'limit',
  'tool-late',
  'permission-ignored',
  'approval-request',
  'approval-answer',
  'input-request',
  'input-answer',
  'recovery-request',
  'recovery-answer',
]);

/** Attributes of an event, without content. */
function detailsOf(event: RunEvent): Attributes {
  return {
    ...('limit' in event && { 'utensil.limit': event.limit }),
    ...('callId' in event && { 'gen_ai.tool.call.id': event.callId }),
    ...('name' in event && event.name !== undefined && { 'gen_ai.tool.name': event.name }),
    ...('answer' in event && { 'utensil.answer': event.answer }),
  };
}
