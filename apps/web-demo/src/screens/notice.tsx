import type { ReactElement } from 'react';

/** Something that a person should know, and can put away. */
export function Notice({ text, onDismiss }: { readonly text: string; onDismiss?(): void }): ReactElement {
  return (
    <div className="notice" role="alert">
      <p>{text}</p>
      {onDismiss && (
        <button type="button" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}
