import { SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { Instruments } from './instruments.ts';

/** Where spans and figures go, and what they may say. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  readonly captureContent: boolean;
  /** Of every span. */
  readonly common: Attributes;
  readonly agentName: string | undefined;
  /** Instead of what the wire format says. */
  readonly provider: string | undefined;
}

/** An error that a span ended with. Its text may say what users wrote. */
export interface SpanError {
  readonly type: string;
  readonly text?: string | undefined;
}

/** Marks a span as failed. */
export function failSpan(span: Span, { type, text }: SpanError, { captureContent }: Telemetry): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(captureContent && text !== undefined && { message: text }) });
}

/** An attribute, or none where there is no value. */
export function optional(name: string, value: string | number | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}
