// Checks of outputs, and handling of invalid arguments: loaded with the first of them. `repair` tries to correct
// arguments, `explainInput` explains them to the model.

export { checkOutput, loadValidator } from './check-output.ts';
export { explainInput, explainInvalid, tooDeepText } from './explain-input.ts';
export { repair } from './repair.ts';
