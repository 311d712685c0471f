export { UtensilDiff } from './diff/diff.ts';
export { UtensilSettings } from './settings/settings.ts';
export type { SecretStore } from './settings/secret.ts';
export type { ModelSource } from './settings/view.ts';
export { UtensilValue } from './value/value.ts';
export { createMarkdownRenderer, renderMarkdown, UtensilMarkdown } from './markdown/index.ts';
export type { MarkdownOptions, MarkdownRenderer } from './markdown/index.ts';
