export * as english from './english.ts';
export { formatsFor } from './formats.ts';
export type { Formats, PluralForms } from './formats.ts';
export { provideTexts } from './provide.ts';
export { completeTexts } from './texts.ts';
export type { PartialTexts, SomeTexts, Texts, TextTable } from './texts.ts';
