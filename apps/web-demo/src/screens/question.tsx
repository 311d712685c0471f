import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTexts } from './use-texts.ts';

/** A question before an action. */
export interface QuestionText {
  readonly title: string;
  readonly text?: string;
  /** Label of the confirming button. */
  readonly action: string;
  /** True if the action is destructive. */
  readonly isDangerous?: boolean;
  /** Label and initial value of the input field, if there is one. */
  readonly field?: { readonly label: string; readonly value?: string };
}

/** A question with its callback: gets the entered text (empty without a field), or nothing if dismissed. */
interface Asked extends QuestionText {
  answer(text: string | undefined): void;
}

/** Asks a question, and resolves to the entered text; undefined if dismissed. */
export type Ask = (question: QuestionText) => Promise<string | undefined>;

/** Asks in a modal dialog: returns its element for the page, and the function that asks. */
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

  // Modal: nothing else is reachable, and the focus returns when it closes.
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
