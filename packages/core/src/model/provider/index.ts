// What adapters of models share. The contract itself, `Model`, is in the root entry.

export { abortedError, failureOf, modelError, modelFailures, saidBy } from '../failure.ts';
export type { FailedAnswer, FailureException, FailureSubject, ModelFailure } from '../failure.ts';
export { causeWithoutKeys, withoutKeys } from '../scrub.ts';

export { arrangeHistory } from '../history.ts';
export { calledName } from '../message.ts';
export { wellFormed } from '../well-formed.ts';
export { fromWireName, wireName } from '../wire-name.ts';
export { plainObjectSchema } from '../../schema/plain-object.ts';
export { strictSchema } from '../../schema/strict.ts';
export type { StrictDialect, StrictSchema } from '../../schema/strict.ts';

export { parseToolInput } from '../tool-input.ts';
export { addUsage, noUsage } from '../usage.ts';
