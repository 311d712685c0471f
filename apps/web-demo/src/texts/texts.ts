import { createListeners } from '@utensil/core/storage';
import { completeTexts, provideTexts as provideElementTexts } from '@utensil/elements/texts';
import type { PartialTexts } from '@utensil/elements/texts';
import * as english from './english.ts';
import type { englishConnections } from './connections.ts';
import type { englishMcpServers } from './mcp-servers.ts';

/** Every text of the app, with the language they are in. `elements` has those of the elements that differ here. */
export type Texts = typeof english;

/** Some of the texts, and functions with the same parameters: those that are absent stay English. */
export type SomeAppTexts = PartialTexts<Omit<Texts, 'elements'>> & {
  readonly elements?: Parameters<typeof provideElementTexts>[1];
} & PartialTexts<LaterTexts>;

/** Tables that are loaded later: see `later-texts.ts`. */
type LaterTexts = typeof englishConnections & typeof englishMcpServers;

const { notify, subscribe } = createListeners();
let current: Texts = english;
let stop = (): void => {};

/** Texts of the app as they are now. Screens use {@link useTexts}, to be shown again if they change. */
export function currentTexts(): Texts {
  return current;
}

/** Tells a listener each time other texts are provided. */
export const onTextsChange = subscribe;

/** Gives the whole app these texts, and its elements those that differ here. Returns a function that takes back those of the elements. */
export function provideAppTexts(some: SomeAppTexts = {}): () => void {
  current = completeTexts<Texts>(english, some);
  const { locale, elements, document: page } = current;
  stop();
  stop = provideElementTexts(document, { locale, ...elements });
  document.documentElement.lang = locale;
  document.title = page.title;
  notify();
  return stop;
}
