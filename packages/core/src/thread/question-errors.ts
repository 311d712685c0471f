import { UtensilError } from '../base/errors.ts';
import type { Question } from './question.ts';

/** The question is answered, dismissed or expired, or its run is over, or there never was one. */
export function noQuestion(id: string): UtensilError {
  const problem = `No question "${id}" is open: it was answered or dismissed, its time is over, or it never was.`;
  return new UtensilError('question_closed', problem);
}

/** Somebody who is none of the question's answerers gave an answer. */
export function mayNotAnswer(
  { id, answerers = [] }: Pick<Question, 'id' | 'answerers'>,
  by: string | undefined,
): UtensilError {
  const who = by === undefined ? 'Somebody without a name (`by`)' : `"${by}"`;
  const problem = `${who} may not answer the question "${id}": ${answerers.join(', ') || 'nobody'} may.`;
  return new UtensilError('answer_forbidden', problem);
}

export function sealsNeeded(id: string): UtensilError {
  const problem = `An answer that lets a call run needs the \`seals\` of the run: nothing else proves that the app gave it ("${id}").`;
  return new UtensilError('invalid_input', problem);
}

/** The question is not as this app asked it. */
export function foreignQuestion(id: string): UtensilError {
  const problem = `The question "${id}" is not as this app asked it, or was asked without seals: resume the run, which asks again.`;
  return new UtensilError('question_closed', problem);
}
