import { SpanKind } from '@opentelemetry/api';
import type { Attributes, Context } from '@opentelemetry/api';
import type { RunEvent, Usage } from '@utensil/core';
import { createOutput } from './content.ts';
import type { ContentMessage } from './content.ts';
import { finishReasons, providers } from './conventions.ts';
import { failSpan, optional } from './telemetry.ts';
import type { SpanError, Telemetry } from './telemetry.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** The span of a running turn. */
export interface TurnTrace {
  /** Records an event, perhaps with a piece of the answer. */
  add(event: RunEvent): void;
  /** Ends the span, with an error if the answer was interrupted or the model reports a failure. */
  end(event: Of<'step-end'>, error?: SpanError): void;
  fail(error: SpanError, time: number): void;
}

/** Starts the span of a turn. `input`: messages that are new since the previous turn. */
export function traceTurn(
  telemetry: Telemetry,
  { step, model, time: started }: Of<'step-start'>,
  { parent, input }: { readonly parent: Context; readonly input: readonly ContentMessage[] },
): TurnTrace {
  const { tracer, instruments, captureContent, common } = telemetry;
  const operation: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': telemetry.provider ?? providers[model.api] ?? model.api,
    'gen_ai.request.model': model.id,
  };
  const own = { 'gen_ai.request.stream': true, 'utensil.step': step };
  const attributes = { ...operation, ...own, ...common };
  const span = tracer.startSpan(`chat ${model.id}`, { kind: SpanKind.CLIENT, startTime: started, attributes }, parent);
  const output = captureContent ? createOutput() : undefined;
  let hasBegun = false;
  if (captureContent) span.setAttribute('gen_ai.input.messages', JSON.stringify(input));

  function end(time: number, outcome: Attributes): void {
    instruments.operationDuration.record((time - started) / 1000, { ...operation, ...outcome });
    span.end(time);
  }

  function fail(error: SpanError, time: number): void {
    failSpan(span, error, telemetry);
    end(time, { 'error.type': error.type });
  }

  function countTokens({ inputTokens, outputTokens }: Usage): void {
    instruments.tokenUsage.record(inputTokens, { ...operation, 'gen_ai.token.type': 'input' });
    instruments.tokenUsage.record(outputTokens, { ...operation, 'gen_ai.token.type': 'output' });
  }

  return {
    add(event) {
      output?.add(event);
      if (hasBegun || !pieces.has(event.type)) return;
      hasBegun = true;
      const seconds = (event.time - started) / 1000;
      span.setAttribute('gen_ai.response.time_to_first_chunk', seconds);
      instruments.timeToFirstChunk.record(seconds, operation);
    },
    end({ reason, usage, time }, error) {
      const finishReason = finishReasons[reason];
      span.setAttributes({ 'gen_ai.response.finish_reasons': [finishReason], ...usageAttributes(usage) });
      if (output !== undefined)
        span.setAttribute('gen_ai.output.messages', JSON.stringify([output.message(finishReason)]));
      if (error === undefined || usage.inputTokens + usage.outputTokens > 0) countTokens(usage);
      if (error === undefined) end(time, {});
      else fail(error, time);
    },
    fail,
  };
}

const pieces: ReadonlySet<RunEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
  'tool-call',
  'source',
  'file',
  'provider-result',
]);

/** Token counts, and the cost if it is known. */
export function usageAttributes(usage: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    ...optional('utensil.usage.cost', usage.cost),
  };
}
