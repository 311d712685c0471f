'use client';

import { UtensilMarkdown as MarkdownElement } from '@utensil/elements/markdown';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilMarkdown}. */
export type MarkdownProps = ElementProps<
  MarkdownElement,
  'text' | 'isStreaming' | 'loadImages',
  { readonly onLoadImage: { readonly url: string } }
>;

/** `<utensil-markdown>`: untrusted Markdown. */
export const UtensilMarkdown: FunctionComponent<MarkdownProps> = component<MarkdownProps>(
  MarkdownElement,
  'utensil-markdown',
  { onLoadImage: 'utensil-load-image' },
);
