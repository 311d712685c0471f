import { UtensilError } from '../base/errors.ts';

/** A message to a run that is over. */
export function runEnded(): UtensilError {
  return new UtensilError('run_ended', 'The run is over: begin another one with the message.');
}

/** An answer to a call that nothing is asked about. */
export function noQuestion(callId: string): UtensilError {
  const problem = `No question about call "${callId}" is open: it was answered, or the run is over.`;
  return new UtensilError('run_ended', problem);
}
