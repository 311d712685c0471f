import type { ModelChoice } from './capability.ts';
import type { OptionValue } from './option.ts';

/** A model that the user can select or has selected. */
export interface OfferedModel extends ModelChoice {
  readonly label: string;
  /** True if it is selected but no longer offered. The selection stays until the user changes it. */
  readonly missing?: true;
}

/** Choices of a model option: the app's models first, then selected ones that are missing now. */
export function modelChoices(offered: readonly ModelChoice[], chosen: OptionValue): readonly OfferedModel[] {
  const ids = [chosen].flat().filter((id) => typeof id === 'string' && id !== '') as string[];
  const missing = ids.filter((id) => offered.every((each) => each.id !== id));
  return [
    ...offered.map((each) => ({ ...each, label: each.label ?? each.id })),
    ...missing.map((id) => ({ id, label: id, missing: true }) as const),
  ];
}
