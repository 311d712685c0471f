// Code that only failures need: loaded with the first one.

export { modelError, modelFailures } from '@utensil/core/provider';
export { classifyError } from './failures/classify.ts';
export { misreadResponses } from './failures/misread-response.ts';
