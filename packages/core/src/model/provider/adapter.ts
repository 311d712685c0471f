// Needed by every turn.

// A model over a wire format.
export { modelOver } from './model-over.ts';
export type { TurnReader, Wire } from './wire.ts';
export { modelInfo } from './model-info.ts';
export type { ModelInfoOptions } from './model-info.ts';
export { once, loadPeer } from './client.ts';
export { linesOf } from './lines-of.ts';
export type { ByteBody } from './lines-of.ts';

// Requests, mapped to a wire format.
export { getOrInsert, memoize } from '../../base/memoize.ts';
export { fileName, isContent, isTextFile, ownReasoning, textInFile, toWords } from './content.ts';
export { describePart } from '../describe-part.ts';
export { isMedia, isReadable } from '../media.ts';
export type { Media } from '../media.ts';
export { isChosen, withExamples } from './definition.ts';
export type { Chosen } from './definition.ts';
export { calledName } from '../message.ts';
export { fromWireName, wireName } from '../wire-name.ts';
export { wellFormed } from '../well-formed.ts';
export { partOptions, withPartOptions } from './part-options.ts';
export { takenBy, withSettings } from './wire-settings.ts';
export type { WireSettings } from './wire-settings.ts';

// Responses, mapped from a wire format.
export { withProviderResults } from './provider-results.ts';
export type { FoundResult } from './provider-results.ts';
export { joinArguments, newCallId, wholeCall } from './call-parts.ts';
export { wordPlaces, wordsIn } from './words-in.ts';
export { parseToolInput } from '../tool-input.ts';

// The part of failures that a successful turn needs.
export { isReported, reportedError } from './report.ts';
export type { ReportedError } from './report.ts';
export { surfaceErrors } from './surface-errors.ts';
export type { RetryAfterResponse, MisreadResponses } from './misread-response.ts';
export { abortedError } from '../aborted-error.ts';
