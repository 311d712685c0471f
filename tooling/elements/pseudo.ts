import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';

/** A language in which every text names its place, in brackets: `⟦thread.copy⟧`. So texts can be told from data. */
export interface Pseudo<Tables> {
  readonly texts: Tables;
  /** Places of all texts, such as `thread.copy`. */
  readonly places: readonly string[];
}

/** The pseudo-locale of tables of texts; functions show the values that they are given. */
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

/** All texts below a root that people see or hear, in shadow roots too. */
function textsBelow(root: ParentNode): readonly string[] {
  const found = [...root.querySelectorAll('*')].flatMap((element) => {
    const named = naming.map((name) => element.getAttribute(name) ?? '');
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const inside = element.shadowRoot === null ? [] : textsBelow(element.shadowRoot);
    return element.matches('style, script') ? [] : [...named, ...own.map((node) => node.textContent ?? ''), ...inside];
  });
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/** The part of a text that is in no brackets. */
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

/** Holds elements to show nothing but data and texts of a pseudo-locale; data is in another script than the texts. */
export interface PseudoPage {
  /** Places of the texts that were shown. */
  readonly shown: Set<string>;
  holds(element: HTMLElement & { readonly updateComplete: Promise<unknown> }): Promise<void>;
  /** Presses the first button with a text. */
  press(place: string): Promise<void>;
}

/** `data`: Latin letters that are data in spite of their script. */
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
      await new Promise((then) => requestAnimationFrame(then)); // elements inside render a moment later
      look(found());
    },
    async press(place) {
      const name = new RegExp(`^⟦${place.replaceAll('.', '[.]')}(?:[ ⟧]|$)`);
      await page.getByRole('button', { name }).first().click();
    },
  };
}
