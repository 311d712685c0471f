import { SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { Instruments } from './instruments.ts';

/** Destinations and options of telemetry. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  readonly captureContent: boolean;
  /** Attributes of every span. */
  readonly common: Attributes;
  readonly agentName: string | undefined;
  /** Overrides the provider derived from the wire format. */
  readonly provider: string | undefined;
}

/** Error of a span. Its text may contain user content. */
export interface SpanError {
  readonly type: string;
  readonly text?: string | undefined;
}

/** Marks a span as failed. */
export function failSpan(span: Span, { type, text }: SpanError, { captureContent }: Telemetry): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(captureContent && text !== undefined && { message: text }) });
}

/** An attribute; empty if the value is undefined. */
export function optional(name: string, value: string | number | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}
