import { UtensilError } from '../base/errors.ts';
import { mayAnswer } from './question.ts';
import type { Question } from './question.ts';

/** The question is answered, dismissed or expired, or its run is over, or there never was one. */
export function noQuestion(id: string): UtensilError {
  const problem = `No question "${id}" is open: it was answered or dismissed, its time is over, or it never was.`;
  return new UtensilError('question_closed', problem);
}

/** Throws `answer_forbidden` if somebody of this name may not answer. */
export function checkAnswerer(question: Pick<Question, 'id' | 'answerers'>, by: string | undefined): void {
  if (mayAnswer(question, by)) return;
  const { id, answerers = [] } = question;
  const problem = `"${by ?? 'Nobody in particular'}" may not answer the question "${id}": ${answerers.join(', ') || 'nobody'} may.`;
  throw new UtensilError('answer_forbidden', problem);
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
