import { isObject, messageOf } from '@utensil/core';
import { type Phase, type ClassifiedError, isReported, modelFailures, saidBy } from '@utensil/core/provider';
import { type VendorError, classifySetup, classifyVendor } from './vendor-error.ts';

/** Classifies the SDK's errors, and errors that the vendor reports inside a stream. */
export function classifyError(thrown: unknown, phase: Phase): ClassifiedError {
  if (isReported(thrown)) {
    const report = thrown.report as VendorError & Said;
    return classifyVendor(report, wordsOf(report, ''));
  }
  const said = messageOf(thrown);
  if (isApiError(thrown)) return classifyApi(thrown, said);
  const setup = classifySetup(said);
  if (setup !== undefined) return { failure: setup };
  return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : 'failed'], said: saidBy(thrown) };
}

function classifyApi(thrown: ApiError, said: string): ClassifiedError {
  const { error, status } = thrown;
  if (status === undefined && error === undefined) return { failure: modelFailures.unreachable, said: saidBy(thrown) };
  return classifyVendor(thrown, isObject(error) ? wordsOf(error, said) : said);
}

/** A gateway has the words of the server behind it in a place of their own, and Groq what the model wrote. */
function wordsOf({ message, metadata, failed_generation: written }: Said, said: string): string {
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  return [typeof message === 'string' ? message : said, ...[raw, written].filter(isText)].join(': ');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

interface Said {
  readonly message?: unknown;
  readonly metadata?: unknown;
  readonly failed_generation?: unknown;
}

type ApiError = Error & VendorError & { readonly error: unknown };

/** The SDK's own errors. Copies of the SDK have other classes, so they are known by their members. */
function isApiError(thrown: unknown): thrown is ApiError {
  return thrown instanceof Error && 'status' in thrown && 'requestID' in thrown && 'error' in thrown;
}
