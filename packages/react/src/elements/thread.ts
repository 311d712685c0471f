'use client';

import { UtensilThread as ThreadElement } from '@utensil/elements/thread';
import type { OwnerDetail } from '@utensil/elements/thread';
import type { AnswerDetail } from '@utensil/elements/approval';
import type { CancelDetail } from '@utensil/elements/call';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

interface ThreadEvents {
  readonly onAnswer: AnswerDetail;
  readonly onRegenerate: { readonly messageId: string };
  readonly onEdit: { readonly messageId: string; readonly text: string };
  readonly onContinue: { readonly messageId?: string };
  readonly onLoadImage: { readonly url: string };
  readonly onCancel: CancelDetail;
  readonly onOwner: OwnerDetail;
  readonly onBranch: { readonly messageId: string; readonly to: number };
}

/** Props of {@link UtensilThread}. */
export type ThreadProps = ElementProps<
  ThreadElement,
  | 'thread'
  | 'messages'
  | 'live'
  | 'run'
  | 'owner'
  | 'registry'
  | 'branches'
  | 'notice'
  | 'canCancel'
  | 'canRemember'
  | 'loadImages',
  ThreadEvents
>;

/** `<utensil-thread>`: a conversation of any length, stored and live. */
export const UtensilThread: FunctionComponent<ThreadProps> = component<ThreadProps>(ThreadElement, 'utensil-thread', {
  onAnswer: 'utensil-answer',
  onRegenerate: 'utensil-regenerate',
  onEdit: 'utensil-edit',
  onContinue: 'utensil-continue',
  onLoadImage: 'utensil-load-image',
  onCancel: 'utensil-cancel',
  onOwner: 'utensil-owner',
  onBranch: 'utensil-branch',
});
