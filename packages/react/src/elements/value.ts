'use client';

import { UtensilValue as ValueElement } from '@utensil/elements/value';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilValue}. */
export type ValueProps = ElementProps<ValueElement, 'value' | 'label' | 'filename' | 'quiet', object>;

/** `<utensil-value>`: a text or JSON of any length, with search, copy and download. */
export const UtensilValue: FunctionComponent<ValueProps> = component<ValueProps>(ValueElement, 'utensil-value');
