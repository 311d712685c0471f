'use client';

import { UtensilSettings as SettingsElement } from '@utensil/elements/settings';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilSettings}. */
export type SettingsProps = ElementProps<
  SettingsElement,
  'registry' | 'settings' | 'host' | 'models' | 'secrets' | 'compact' | 'busy' | 'headingLevel',
  object
>;

/** `<utensil-settings>`: switches and options of the tools. */
export const UtensilSettings: FunctionComponent<SettingsProps> = component<SettingsProps>(
  SettingsElement,
  'utensil-settings',
);
