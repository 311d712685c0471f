import type { StoredEntry } from '../../thread/entry.ts';
import type { Expected } from './expectation.ts';

type Entry = StoredEntry['entry'];

/** Description of an entry, and the call that it concerns. */
export interface Described {
  readonly text: string;
  readonly callId?: string;
}

/** Kind of an entry, for people. */
export function describe(entry: Entry): Described {
  switch (entry.type) {
    case 'message':
    case 'revision':
      return ofMessage(entry);
    case 'question':
      return {
        text: `The ${entry.kind} question about call "${entry.callId}" of "${entry.name}"`,
        callId: entry.callId,
      };
    case 'answer':
      return { text: `The answer to question "${entry.questionId}"` };
    case 'call-begun':
    case 'call-approved':
      return { text: `"${entry.type}" of call "${entry.callId}"`, callId: entry.callId };
    case 'cancelled':
      return { text: `The cancellation of call "${entry.callId}"`, callId: entry.callId };
    case 'inner-result':
      return { text: `The result of inner call "${entry.result.callId}"`, callId: entry.result.callId };
    case 'inner-run':
      return { text: `The run inside call "${entry.parentCallId}"`, callId: entry.parentCallId };
    case 'compacted':
      return { text: `The compaction before message "${entry.before}"` };
    case 'run-begun':
    case 'run-parked':
    case 'run-ended':
      return { text: `"${entry.type}"${entry.status === undefined ? '' : ` as "${entry.status}"`}` };
  }
}

function ofMessage({ message }: Extract<Entry, { type: 'message' | 'revision' }>): Described {
  const result = message.parts.find((part) => part.type === 'tool-result' || part.type === 'late-result');
  if (result !== undefined)
    return { text: `The result of call "${result.callId}" of "${result.name}"`, callId: result.callId };
  return { text: message.role === 'assistant' ? 'A turn of the model' : `A message of role "${message.role}"` };
}

/** Description of a stored entry, with its position. */
export function nameOf({ position, entry }: Expected): string {
  return `Entry ${position} (${describe(entry).text.replace(/^(The|A) /, (article) => article.toLowerCase())})`;
}
