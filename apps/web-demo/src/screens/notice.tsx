import type { ReactElement } from 'react';
import type { Problem } from '../data/advice.ts';
import { useTexts } from './use-texts.ts';

/** A dismissible notice. */
export function Notice({ text, details, onDismiss }: Problem & { onDismiss?(): void }): ReactElement {
  const { app: texts } = useTexts();
  return (
    <div className="notice" role="alert">
      <div>
        <p>{text}</p>
        {details !== undefined && (
          <details>
            <summary>{texts.details}</summary>
            <p>{details}</p>
          </details>
        )}
      </div>
      {onDismiss && (
        <button type="button" onClick={onDismiss}>
          {texts.dismiss}
        </button>
      )}
    </div>
  );
}
