'use client';

import { UtensilSettings as SettingsElement } from '@utensil/elements/settings';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** What {@link UtensilSettings} takes. */
export type SettingsProps = ElementProps<
  SettingsElement,
  'registry' | 'settings' | 'host' | 'models' | 'secrets' | 'compact' | 'busy' | 'headingLevel',
  object
>;

/** `<utensil-settings>`: which tools are on, and how each is set. */
export const UtensilSettings: FunctionComponent<SettingsProps> = component<SettingsProps>(
  SettingsElement,
  'utensil-settings',
);
