import type { Message, ModelRequest } from '@utensil/core';
import type { LiveRun } from '@utensil/elements/view';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTexts } from './use-texts.ts';

interface MeterProps {
  readonly live: LiveRun;
  readonly messages: readonly Message[];
  /** The last request to the model. */
  request(): ModelRequest | undefined;
}

/** Token usage of the conversation, and the exact last request on demand. */
export function Meter({ live, messages, request }: MeterProps): ReactElement {
  const { request: texts, app } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<string>();
  const used = messages.reduce(
    (sum, { usage }) => sum + (usage === undefined ? 0 : usage.inputTokens + usage.outputTokens),
    0,
  );
  const now = live.status === 'running' ? live.usage.inputTokens + live.usage.outputTokens : 0;
  const context = messages.findLast(({ usage }) => usage !== undefined)?.usage?.inputTokens ?? 0;

  function show(): void {
    const last = request();
    setShown(last === undefined ? texts.none : JSON.stringify(last, undefined, 2));
    dialog.current?.showModal();
  }

  return (
    <>
      <button type="button" className="quiet meter" onClick={show} aria-haspopup="dialog">
        {used + now === 0 ? texts.view : texts.usage(used + now, context)}
      </button>
      <dialog ref={dialog} aria-labelledby="request-title" className="request">
        <header>
          <h2 id="request-title">{texts.title}</h2>
          <button type="button" onClick={() => dialog.current?.close()}>
            {app.close}
          </button>
        </header>
        <pre tabIndex={0}>{shown}</pre>
      </dialog>
    </>
  );
}
