// The limits that oxlint has no rule for. Its `max-lines`, `max-lines-per-function` and `max-params` are in .oxlintrc.json.

import type { Shape } from './measure.ts';

type Measure = Exclude<keyof Shape, 'name' | 'line'>;

interface Limit {
  readonly most: number;
  /** What there is too much of. */
  readonly noun: string;
  readonly advice: string;
}

export const limits: Readonly<Record<Measure, Limit>> = {
  ownLines: { most: 80, noun: 'lines of its own', advice: 'move a part to a function with a name' },
  parameters: { most: 3, noun: 'positional parameters', advice: 'take one object after the third' },
  typeParameters: { most: 3, noun: 'type parameters', advice: 'infer them from one' },
};

/** Functions that are still over a limit. This list only shrinks. */
export const allowed: readonly string[] = [
  'apps/web-demo/src/screens/composer.tsx Composer',
  'packages/elements/src/texts/every-page.browser.test.ts a function',
];
