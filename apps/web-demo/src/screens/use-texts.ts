import { useSyncExternalStore } from 'react';
import { currentTexts, onTextsChange } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** Texts of the app; re-renders if others are provided. */
export function useTexts(): Texts {
  return useSyncExternalStore(onTextsChange, currentTexts);
}
