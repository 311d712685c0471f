'use client';

import { UtensilRules as RulesElement } from '@utensil/elements/rules';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilRules}. */
export type RulesProps = ElementProps<
  RulesElement,
  'rules' | 'registry' | 'settings' | 'host' | 'projectId' | 'grants' | 'busy' | 'headingLevel',
  object
>;

/** `<utensil-rules>`: the rules that decide about calls. */
export const UtensilRules: FunctionComponent<RulesProps> = component<RulesProps>(RulesElement, 'utensil-rules');
