import { UtensilError } from '../base/errors.ts';
import type { Question } from './question.ts';

/** The question is answered, dismissed, expired or unknown, or its run is over. */
export function noQuestion(id: string): UtensilError {
  const problem = `Question "${id}" is not open: it was answered, dismissed or has expired, or the id is unknown.`;
  return new UtensilError('question_closed', problem);
}

/** The answer is from someone who may not answer this question. */
export function mayNotAnswer(
  { id, answerers = [] }: Pick<Question, 'id' | 'answerers'>,
  by: string | undefined,
): UtensilError {
  const who = by === undefined ? 'Somebody without a name (`by`)' : `"${by}"`;
  const problem = `${who} may not answer the question "${id}": ${answerers.join(', ') || 'nobody'} may.`;
  return new UtensilError('answer_forbidden', problem);
}

export function sealsNeeded(id: string): UtensilError {
  const problem = `The answer to question "${id}" was not stored: it lets a call run, so pass the \`seals\` of the run.`;
  return new UtensilError('invalid_input', problem);
}

/** The stored question differs from the one that this app asked. */
export function foreignQuestion(id: string): UtensilError {
  const problem = `Question "${id}" has no seal of this app that fits. Resume the run with \`seals\`: it asks again.`;
  return new UtensilError('question_closed', problem);
}
