'use client';

import { UtensilCall as CallElement } from '@utensil/elements/call';
import type { CancelDetail } from '@utensil/elements/call';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilCall} takes. */
export type CallProps = ElementProps<
  CallElement,
  'call' | 'category' | 'open' | 'canCancel' | 'path',
  { readonly onCancel: CancelDetail }
>;

/** `<utensil-call>`: a call with its input, its progress and its result. */
export const UtensilCall: FunctionComponent<CallProps> = component<CallProps>(CallElement, 'utensil-call', {
  onCancel: 'utensil-cancel',
});
