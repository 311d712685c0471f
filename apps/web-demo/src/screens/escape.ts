import { useEffect } from 'react';

/** Does something when Esc is pressed, unless the key means something else where the focus is. */
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

/** Whether something is open that Esc closes, or a text is edited outside the composer. */
function isTaken(event: KeyboardEvent): boolean {
  if (document.querySelector(':popover-open, dialog[open]') !== null) return true;
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches('textarea, input, select') && !target.closest('.composer');
}
