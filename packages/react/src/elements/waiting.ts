'use client';

import { UtensilWaiting as WaitingElement } from '@utensil/elements/waiting';
import type { OpenDetail, WaitingAnswerDetail } from '@utensil/elements/waiting';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilWaiting}. */
export type WaitingProps = ElementProps<
  WaitingElement,
  'questions' | 'titleOf' | 'hrefOf' | 'read' | 'registry' | 'canRemember' | 'problem',
  { readonly onAnswer: WaitingAnswerDetail; readonly onOpen: OpenDetail }
>;

/** `<utensil-waiting>`: open questions of all conversations. */
export const UtensilWaiting: FunctionComponent<WaitingProps> = component<WaitingProps>(
  WaitingElement,
  'utensil-waiting',
  {
    onAnswer: 'utensil-answer',
    onOpen: 'utensil-open',
  },
);
