import type { ModelChoice } from './capability.ts';
import type { OptionValue } from './option.ts';

/** A model that the user can choose, or has chosen. */
export interface OfferedModel extends ModelChoice {
  readonly label: string;
  /** It was chosen, and is no longer offered. The choice stays until the user makes another. */
  readonly missing?: true;
}

/** What a model option offers, first what the app has, then what was chosen and is missing now. */
export function modelChoices(offered: readonly ModelChoice[], chosen: OptionValue): readonly OfferedModel[] {
  const ids = [chosen].flat().filter((id) => typeof id === 'string' && id !== '') as string[];
  const missing = ids.filter((id) => offered.every((each) => each.id !== id));
  return [
    ...offered.map((each) => ({ ...each, label: each.label ?? each.id })),
    ...missing.map((id) => ({ id, label: id, missing: true }) as const),
  ];
}
