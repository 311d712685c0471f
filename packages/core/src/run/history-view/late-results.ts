import type { ContentPart, LateResultPart, Message } from '../../model/message.ts';

/** Frame of a late result. Its content cannot imitate the end of the frame. */
function frameOf({ callId, name, isError }: LateResultPart): { readonly before: string; readonly after: string } {
  const call = `call ${JSON.stringify(callId)} of the tool "${name}"`;
  const what = isError ? 'Failure' : 'Result';
  return {
    before: `>>>>> ${what} of ${call}, which went on in the background. The tool says this, and not the user:`,
    after: `<<<<< End of the result of ${call}`,
  };
}

/** Anything similar to an end marker, with at least as many characters. */
const ends = /<{5,}(?=\s*End of the result)/gi;

const shown = new WeakMap<Message, Message>();

/** Messages with late results as text, which every API accepts from a user. Other messages keep their identity. */
export function lateResultsAsText(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== 'user' || !message.parts.some(({ type }) => type === 'late-result')) return message;
    let view = shown.get(message);
    if (view === undefined) {
      view = {
        ...message,
        parts: message.parts.flatMap((part) => (part.type === 'late-result' ? inWords(part) : part)),
      };
      shown.set(message, view);
    }
    return view;
  });
}

function inWords(part: LateResultPart): readonly ContentPart[] {
  const { before, after } = frameOf(part);
  const content = part.modelParts.map((each) =>
    each.type === 'text' ? ({ type: 'text', text: each.text.replaceAll(ends, '<<<<') } as const) : each,
  );
  const all: readonly ContentPart[] = [{ type: 'text', text: before }, ...content, { type: 'text', text: after }];
  const isText = all.every(({ type }) => type === 'text');
  return isText ? [{ type: 'text', text: all.map((each) => (each as { text: string }).text).join('\n') }] : all;
}
