// Needed by failed turns only; loaded with the first failure.

export { classifiedError, cutError } from './turn-error.ts';
export { correctedResponse } from './misread-response.ts';
