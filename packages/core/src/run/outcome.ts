import { arrangeHistory } from '../model/arrangement.ts';
import { textOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import type { RunResult } from '../tool/run-result.ts';
import type { RunState } from './loop/state.ts';

/** Result of a completed run. `historyLength`: number of messages that are not its own. */
export function toResult(state: RunState, historyLength: number): RunResult {
  const { status, limit, error, value } = state.end ?? { status: 'error' };
  const messages = arrangeHistory(state.messages).slice(historyLength);
  const isAnswer = ({ role }: Message): boolean => role === 'assistant';
  const last = messages.findLast(isAnswer) ?? (status === 'complete' ? state.messages.findLast(isAnswer) : undefined);
  return {
    status,
    text: last === undefined ? '' : textOf(last.parts),
    messages,
    steps: state.steps,
    usage: state.usage,
    ...(limit !== undefined && { limit }),
    ...(error !== undefined && { error }),
    ...(value !== undefined && { value }),
  };
}
