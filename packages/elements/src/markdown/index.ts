export { UtensilMarkdown } from './markdown.ts';
export { createMarkdownRenderer, renderMarkdown } from './render.ts';
export type { MarkdownOptions, MarkdownRenderer } from './render.ts';
