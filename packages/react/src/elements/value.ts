'use client';

import { UtensilValue as ValueElement } from '@utensil/elements/value';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilValue} takes. */
export type ValueProps = ElementProps<ValueElement, 'value' | 'label' | 'filename' | 'quiet', object>;

/** `<utensil-value>`: a text or JSON of any length, to be searched, copied and downloaded. */
export const UtensilValue: FunctionComponent<ValueProps> = component<ValueProps>(ValueElement, 'utensil-value');
