import type { LitElement, ReactiveController } from 'lit';

const controls = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

/** Moves the focus to the nearest control if the focused one is removed or disabled. */
export class KeepFocus implements ReactiveController {
  readonly #host: LitElement;
  #near: readonly HTMLElement[] = [];

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    const root = this.#host.shadowRoot;
    const focused = root?.activeElement;
    if (root && focused instanceof HTMLElement) this.#near = nearest(root, focused);
  }

  hostUpdated(): void {
    const [focused] = this.#near;
    if (focused === undefined || canHaveFocus(focused)) return;
    if (this.#isElsewhere(focused)) this.#near = [];
    const next = this.#near.find(canHaveFocus);
    if (next === undefined) return; // controls may be enabled again soon
    this.#near = [];
    next.focus({ preventScroll: true });
  }

  /** True if something else has the focus. A hidden control keeps it for a moment. */
  #isElsewhere(focused: HTMLElement): boolean {
    const here = this.#host.shadowRoot?.activeElement ?? null;
    if (here !== null) return here !== focused;
    return document.activeElement !== null && document.activeElement !== document.body;
  }
}

/** The focused control, then those after it, then those before it. */
function nearest(root: ShadowRoot, focused: HTMLElement): readonly HTMLElement[] {
  const all = [...root.querySelectorAll<HTMLElement>(controls)].filter((each) => each !== focused);
  const isAfter = (each: HTMLElement): boolean =>
    (focused.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return [focused, ...all.filter(isAfter), ...all.filter((each) => !isAfter(each)).toReversed()];
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}
