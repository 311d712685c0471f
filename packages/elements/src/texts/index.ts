export * as english from './english.ts';
export { formatsFor } from './formats.ts';
export type { Formats, PluralForms } from './formats.ts';
export { provideTexts } from './provide.ts';
export type { SomeTexts, Texts } from './texts.ts';
