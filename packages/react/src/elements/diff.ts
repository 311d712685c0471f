'use client';

import { UtensilDiff as DiffElement } from '@utensil/elements/diff';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilDiff} takes. */
export type DiffProps = ElementProps<DiffElement, 'oldText' | 'newText' | 'label', object>;

/** `<utensil-diff>`: how a text differs from another. */
export const UtensilDiff: FunctionComponent<DiffProps> = component<DiffProps>(DiffElement, 'utensil-diff');
