'use client';

import { UtensilDiff as DiffElement } from '@utensil/elements/diff';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilDiff}. */
export type DiffProps = ElementProps<DiffElement, 'oldText' | 'newText' | 'label', object>;

/** `<utensil-diff>`: the difference between two texts. */
export const UtensilDiff: FunctionComponent<DiffProps> = component<DiffProps>(DiffElement, 'utensil-diff');
