/** Gives a field the focus where a mouse is at hand: on a touch screen the keyboard would cover the page. */
export function focusByPointer(field: HTMLElement | null): void {
  if (matchMedia('(pointer: fine)').matches) field?.focus({ preventScroll: true });
}

/** Whether nothing has the focus that could lose it. */
export function hasFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
