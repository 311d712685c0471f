import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';

/** A pseudo-locale in which every text is its key in brackets: `⟦thread.copy⟧`. This distinguishes texts from data. */
export interface Pseudo<Tables> {
  readonly texts: Tables;
  /** Keys of all texts, such as `thread.copy`. */
  readonly places: readonly string[];
}

/** Creates the pseudo-locale of text tables; functions show their arguments. */
export function pseudoLocale<Tables extends object>(tables: Tables): Pseudo<Tables> {
  const places: string[] = [];
  const bracketed = (value: unknown, place: string): unknown => {
    if (typeof value === 'object' && value !== null) {
      const inner = Object.entries(value).map(([name, each]) => [name, bracketed(each, `${place}.${name}`)]);
      return Object.fromEntries(inner);
    }
    const name = place.slice(1);
    places.push(name);
    return typeof value === 'function' ? (...given: readonly unknown[]) => `⟦${name} ${given.join(' ')}⟧` : `⟦${name}⟧`;
  };
  return { texts: bracketed(tables, '') as Tables, places };
}

const naming = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label'];

/** All visible and accessible texts below a root, shadow roots included. */
function textsBelow(root: ParentNode): readonly string[] {
  const found = [...root.querySelectorAll('*')].flatMap((element) => {
    const named = naming.map((name) => element.getAttribute(name) ?? '');
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const inside = element.shadowRoot === null ? [] : textsBelow(element.shadowRoot);
    return element.matches('style, script') ? [] : [...named, ...own.map((node) => node.textContent ?? ''), ...inside];
  });
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/** The part of a text outside of brackets. */
function outsideBrackets(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === '⟧') depth--;
    if (depth === 0 && character !== '⟧' && character !== '⟦') outside += character;
    if (character === '⟦') depth++;
  }
  return outside;
}

/** Asserts that elements show only data and texts of a pseudo-locale; data is in another script than texts. */
export interface PseudoPage {
  /** Keys of the texts shown so far. */
  readonly shown: Set<string>;
  holds(element: HTMLElement & { readonly updateComplete: Promise<unknown> }): Promise<void>;
  /** Clicks the first button with a text. */
  press(place: string): Promise<void>;
}

/** `data`: Latin words that are data. */
export function pseudoPage(data: RegExp): PseudoPage {
  const shown = new Set<string>();
  const look = (found: readonly string[]): void => {
    for (const text of found) for (const [, place = ''] of text.matchAll(/⟦([\w.-]+)/g)) shown.add(place);
    const isFixed = (text: string): boolean => /\p{Script=Latin}/u.test(outsideBrackets(text).replaceAll(data, ''));
    expect(found.filter(isFixed)).toEqual([]);
  };
  return {
    shown,
    async holds(element) {
      await element.updateComplete;
      const found = (): readonly string[] => textsBelow(element.shadowRoot ?? element);
      await vi.waitFor(() => expect(found()).not.toEqual([]));
      await new Promise((then) => requestAnimationFrame(then)); // nested elements render a moment later
      look(found());
    },
    async press(place) {
      const name = new RegExp(`^⟦${place.replaceAll('.', '[.]')}(?:[ ⟧]|$)`);
      await page.getByRole('button', { name }).first().click();
    },
  };
}
