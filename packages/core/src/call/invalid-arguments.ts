// The handling of invalid arguments, loaded with the first of them: `repair` tries to correct them, `explainIssues` tells the model.

export { explainInput } from './explain-input.ts';
export { explainIssues } from './explain.ts';
export { repair } from './repair.ts';
export { explainInvalid, tooDeepText } from '../model/tool-input.ts';
