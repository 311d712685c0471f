'use client';

import { UtensilApproval as ApprovalElement } from '@utensil/elements/approval';
import type { AnswerDetail } from '@utensil/elements/approval';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilApproval}. */
export type ApprovalProps = ElementProps<
  ApprovalElement,
  'question' | 'registry' | 'canRemember' | 'problem',
  { readonly onAnswer: AnswerDetail }
>;

/** `<utensil-approval>`: a question of a run, and its answers. */
export const UtensilApproval: FunctionComponent<ApprovalProps> = component<ApprovalProps>(
  ApprovalElement,
  'utensil-approval',
  {
    onAnswer: 'utensil-answer',
  },
);
