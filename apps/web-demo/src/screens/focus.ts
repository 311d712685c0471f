/** Focuses a field if there is a mouse: on a touch screen the keyboard would cover the page. */
export function focusByPointer(field: HTMLElement | null): void {
  if (matchMedia('(pointer: fine)').matches) field?.focus({ preventScroll: true });
}

/** True if no element has a focus that could be lost. */
export function hasFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
