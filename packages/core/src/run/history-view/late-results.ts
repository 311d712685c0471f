import type { ContentPart, LateResultPart, Message } from '../../model/message.ts';

/** What stands around a late result. Nothing in it can look like its end. */
function frameOf({ callId, name, isError }: LateResultPart): { readonly before: string; readonly after: string } {
  const call = `call ${JSON.stringify(callId)} of the tool "${name}"`;
  const what = isError ? 'Failure' : 'Result';
  return {
    before: `>>>>> ${what} of ${call}, which went on in the background. The tool says this, and not the user:`,
    after: `<<<<< End of the result of ${call}`,
  };
}

/** What looks like an end, of this result or another: with as many signs or more. */
const ends = /<{5,}(?=\s*End of the result)/gi;

const shown = new WeakMap<Message, Message>();

/** The messages with late results as text, which every API takes from a user. What has none stays the same object. */
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
