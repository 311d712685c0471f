'use client';

import { UtensilCall as CallElement } from '@utensil/elements/call';
import type { CancelDetail } from '@utensil/elements/call';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilCall}. */
export type CallProps = ElementProps<
  CallElement,
  'call' | 'category' | 'open' | 'canCancel' | 'path',
  { readonly onCancel: CancelDetail }
>;

/** `<utensil-call>`: a call with its input, progress and result. */
export const UtensilCall: FunctionComponent<CallProps> = component<CallProps>(CallElement, 'utensil-call', {
  onCancel: 'utensil-cancel',
});
