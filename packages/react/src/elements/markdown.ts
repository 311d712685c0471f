'use client';

import { UtensilMarkdown as MarkdownElement } from '@utensil/elements/markdown';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilMarkdown} takes. */
export type MarkdownProps = ElementProps<
  MarkdownElement,
  'text' | 'isStreaming' | 'loadImages',
  { readonly onLoadImage: { readonly url: string } }
>;

/** `<utensil-markdown>`: Markdown that nobody has to trust. */
export const UtensilMarkdown: FunctionComponent<MarkdownProps> = component<MarkdownProps>(
  MarkdownElement,
  'utensil-markdown',
  { onLoadImage: 'utensil-load-image' },
);
