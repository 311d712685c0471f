import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTexts } from './use-texts.ts';

/** What a person is asked before something is done. */
export interface QuestionText {
  readonly title: string;
  readonly text?: string;
  /** The words on the button that does it. */
  readonly action: string;
  /** It takes something away for good. */
  readonly isDangerous?: boolean;
  /** The name of the field to fill in, where there is one, and what stands in it at first. */
  readonly field?: { readonly label: string; readonly value?: string };
}

/** A question, and who waits for its answer: what was filled in (a text without a field is empty), or nothing if it was put away. */
interface Asked extends QuestionText {
  answer(text: string | undefined): void;
}

/** Asks a question, and waits for what was filled in; undefined if it was put away. */
export type Ask = (question: QuestionText) => Promise<string | undefined>;

/** Asks in a dialog of the page's own: the first value is its place in the page, the second asks. */
export function useQuestion(): readonly [ReactElement, Ask] {
  const [asked, setAsked] = useState<Asked>();
  const place = <>{asked !== undefined && <Question {...asked} />}</>;
  const ask: Ask = (question) =>
    new Promise((resolve) => {
      setAsked({
        ...question,
        answer(text) {
          setAsked(undefined);
          resolve(text);
        },
      });
    });
  return [place, ask];
}

function Question({ title, text, action, isDangerous = false, field, answer }: Asked): ReactElement {
  const { app: texts } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState(field?.value ?? '');
  const id = useId();
  const isComplete = field === undefined || value.trim() !== '';

  // While it is open nothing else can be reached, and the focus returns to where it was.
  useLayoutEffect(() => {
    const place = dialog.current;
    place?.showModal();
    return () => place?.close();
  }, []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isComplete) answer(value.trim());
  }

  return (
    <dialog
      ref={dialog}
      className="question"
      role={isDangerous ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        answer(undefined);
      }}
    >
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>{title}</h2>
        {text !== undefined && <p id={`${id}-text`}>{text}</p>}
        {field !== undefined && (
          <p className="stacked">
            <label htmlFor={`${id}-field`}>{field.label}</label>
            <input id={`${id}-field`} value={value} onChange={({ target }) => setValue(target.value)} autoFocus />
          </p>
        )}
        <div className="buttons">
          <button type="button" onClick={() => answer(undefined)}>
            {texts.cancel}
          </button>
          <button type="submit" className={isDangerous ? 'dangerous' : 'primary'} disabled={!isComplete}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
