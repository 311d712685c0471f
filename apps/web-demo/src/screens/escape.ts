import { useEffect } from 'react';

/** Runs an action on Escape, unless the key has another meaning at the focus. */
export function useEscape(isActive: boolean, act: () => void): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isTaken(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive, act]);
}

/** True if something is open that Escape closes, or a text outside the composer is being edited. */
function isTaken(event: KeyboardEvent): boolean {
  if (document.querySelector(':popover-open, dialog[open]') !== null) return true;
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches('textarea, input, select') && !target.closest('.composer');
}
