// Failures: the meaning of errors, and their messages for people.
export { fetchErrorClassifier, classifyReport } from './classify.ts';
export type { ErrorClassifier, Phase, ClassifiedError } from './classify.ts';
export { isFetchFailure } from './fetch-failure.ts';
export { isReportedFailure, responseError } from './response-error.ts';
export type { ErrorResponse } from './response-error.ts';
export { failureOf, modelError, modelFailures, noTools, saidBy } from '../failure.ts';
export type { ReportedFailure, FailureException, FailureSubject, ModelFailure } from '../failure.ts';
