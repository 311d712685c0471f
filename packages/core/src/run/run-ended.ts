import { UtensilError } from '../base/errors.ts';

/** Error of a message to a run that is over. */
export function runEnded(): UtensilError {
  return new UtensilError('run_ended', 'The run is over: begin another one with the message.');
}
