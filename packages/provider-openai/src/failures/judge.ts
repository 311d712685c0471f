import { isObject, messageOf } from '@utensil/core';
import { type Phase, type Verdict, isReported, modelFailures, saidBy } from '@utensil/core/provider';
import { type VendorError, judgeSetup, judgeVendor } from './verdicts.ts';

/** Judges what the SDK throws, and what the vendor reports inside a stream. */
export function judge(thrown: unknown, phase: Phase): Verdict {
  if (isReported(thrown)) return judgeReported(thrown.report as VendorError);
  const said = messageOf(thrown);
  if (isApiError(thrown)) return judgeApi(thrown, said);
  const setup = judgeSetup(said);
  if (setup !== undefined) return { failure: setup };
  return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : 'failed'], said: saidBy(thrown) };
}

function judgeReported(report: VendorError): Verdict {
  const said = typeof report.message === 'string' ? report.message : '';
  return { failure: judgeVendor(report, said), said, cause: report };
}

function judgeApi(thrown: ApiError, said: string): Verdict {
  const { error, status } = thrown;
  if (status === undefined && error === undefined) return { failure: modelFailures.unreachable, said: saidBy(thrown) };
  const words = isObject(error) ? wordsOf(error, said) : said;
  return { failure: judgeVendor(thrown, words), said: words };
}

/** A gateway has the words of the server behind it in a place of their own. */
function wordsOf(
  { message, metadata }: { readonly message?: unknown; readonly metadata?: unknown },
  said: string,
): string {
  const words = typeof message === 'string' ? message : said;
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  return typeof raw === 'string' && raw !== '' ? `${words}: ${raw}` : words;
}

type ApiError = Error & VendorError & { readonly error: unknown };

/** The SDK's own errors. Copies of the SDK have other classes, so they are known by their members. */
function isApiError(thrown: unknown): thrown is ApiError {
  return thrown instanceof Error && 'status' in thrown && 'requestID' in thrown && 'error' in thrown;
}
