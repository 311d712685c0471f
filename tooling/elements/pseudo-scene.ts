import { afterAll, beforeAll } from 'vitest';
import { page } from 'vitest/browser';
import { pseudoLocale, pseudoPage } from './pseudo.ts';
import type { PseudoPage } from './pseudo.ts';

/** Environment of a file's tests. */
export interface PseudoSceneOptions<Tables> {
  /** All English texts. */
  readonly tables: Tables;
  /** Provides other texts to a page; returns a function that stops it. */
  provide(root: Document, texts: Tables): () => void;
  /** Words allowed in Latin letters: other data is Greek, so any Latin text outside of brackets is not translatable. */
  readonly latinData: RegExp;
}

/** Page of a file's tests. */
export interface PseudoScene extends PseudoPage {
  /** Keys of texts in some tables that no test has shown. */
  missing(groups: readonly string[]): readonly string[];
}

/** Shows the page in the pseudo-locale during the tests of a file. */
export function usePseudoLocale<Tables extends object>({
  tables,
  provide,
  latinData,
}: PseudoSceneOptions<Tables>): PseudoScene {
  const { texts, places } = pseudoLocale(tables);
  const pseudo = pseudoPage(latinData);
  let stop = (): void => {};
  beforeAll(async () => {
    stop = provide(document, texts);
    await page.viewport(1200, 800);
  });
  afterAll(() => stop());
  return {
    ...pseudo,
    missing: (groups) =>
      places.filter((place) => groups.includes(place.split('.')[0] ?? '') && !pseudo.shown.has(place)),
  };
}

/** A part of a message. */
export function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words };
}

/** A stored message. */
export function says<Role extends string, Part>(
  id: string,
  role: Role,
  ...parts: readonly Part[]
): { readonly id: string; readonly role: Role; readonly parts: readonly Part[]; readonly createdAt: 0 } {
  return { id, role, parts, createdAt: 0 };
}
