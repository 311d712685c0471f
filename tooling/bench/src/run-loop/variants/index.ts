import type { Variant } from './variant.ts';

export type Mode = 'scripted' | 'http';

interface Entry {
  readonly title: string;
  /** Loads only this variant. */
  readonly load: () => Promise<Variant>;
}

/** Variants of each mode, in table order. */
export const variants: Readonly<Record<Mode, Readonly<Record<string, Entry>>>> = {
  scripted: {
    utensil: { title: 'Utensil', load: async () => (await import('./utensil.ts')).scripted },
    'utensil-read': {
      title: 'Utensil, every event read',
      load: async () => (await import('./utensil.ts')).scriptedRead,
    },
    hand: { title: 'hand-written loop', load: async () => (await import('./hand.ts')).scripted },
    'ai-generate': { title: 'ai generateText', load: async () => (await import('./ai.ts')).scriptedGenerate },
    'ai-stream': { title: 'ai streamText', load: async () => (await import('./ai.ts')).scriptedStream },
    tanstack: { title: '@tanstack/ai chat', load: async () => (await import('./tanstack.ts')).scripted },
  },
  http: {
    utensil: { title: 'Utensil', load: async () => (await import('./utensil.ts')).http },
    'utensil-read': { title: 'Utensil, every event read', load: async () => (await import('./utensil.ts')).httpRead },
    hand: { title: 'hand-written loop, same SDK', load: async () => (await import('./hand.ts')).http },
    fetch: { title: 'hand-written loop, bare fetch', load: async () => (await import('./fetch.ts')).http },
    'ai-generate': { title: 'ai generateText (no stream)', load: async () => (await import('./ai.ts')).httpGenerate },
    'ai-stream': { title: 'ai streamText', load: async () => (await import('./ai.ts')).httpStream },
    tanstack: { title: '@tanstack/ai chat', load: async () => (await import('./tanstack.ts')).http },
  },
};
