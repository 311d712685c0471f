// What only wrong arguments need: loaded with the first of them.

export { explainIssues } from './explain.ts';
export { repair } from './repair.ts';
export { explainInvalid, tooDeepText } from '../model/tool-input.ts';
