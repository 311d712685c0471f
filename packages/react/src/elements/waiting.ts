'use client';

import { UtensilWaiting as WaitingElement } from '@utensil/elements/waiting';
import type { OpenDetail, WaitingAnswerDetail } from '@utensil/elements/waiting';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilWaiting} takes. */
export type WaitingProps = ElementProps<
  WaitingElement,
  'questions' | 'titleOf' | 'hrefOf' | 'read' | 'registry' | 'canRemember' | 'problem',
  { readonly onAnswer: WaitingAnswerDetail; readonly onOpen: OpenDetail }
>;

/** `<utensil-waiting>`: what waits for an answer in all conversations. */
export const UtensilWaiting: FunctionComponent<WaitingProps> = component<WaitingProps>(
  WaitingElement,
  'utensil-waiting',
  {
    onAnswer: 'utensil-answer',
    onOpen: 'utensil-open',
  },
);
