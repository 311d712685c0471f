// Handling of invalid arguments, loaded with the first ones: `repair` tries to correct them, `explainIssues` explains
// them to the model.

export { explainInput } from './explain-input.ts';
export { explainIssues } from './explain.ts';
export { repair } from './repair.ts';
export { explainInvalid, tooDeepText } from '../model/tool-input.ts';
