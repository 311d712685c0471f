import { UtensilMarkdown as MarkdownElement } from '@utensil/elements/markdown';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilMarkdown} takes. */
export type MarkdownProps = ElementProps<MarkdownElement, 'text' | 'isStreaming' | 'loadImages', object>;

/** `<utensil-markdown>`: Markdown that nobody has to trust. */
export const UtensilMarkdown: FunctionComponent<MarkdownProps> = component<MarkdownProps>(
  MarkdownElement,
  'utensil-markdown',
);
