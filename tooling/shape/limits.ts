// Limits without an oxlint rule. `max-lines`, `max-lines-per-function` and `max-params` are in .oxlintrc.json.

import type { Shape } from './measure.ts';

type Measure = Exclude<keyof Shape, 'name' | 'line'>;

interface Limit {
  readonly most: number;
  /** The counted thing. */
  readonly noun: string;
  readonly advice: string;
}

export const limits: Readonly<Record<Measure, Limit>> = {
  ownLines: { most: 80, noun: 'lines of its own', advice: 'move a part to a function with a name' },
  parameters: { most: 3, noun: 'positional parameters', advice: 'take one object after the third' },
  typeParameters: { most: 3, noun: 'type parameters', advice: 'infer them from one' },
};

/** Declarations allowed to exceed a limit, with reasons. */
export const allowed: Readonly<Record<string, string>> = {
  'packages/core/src/tool/define.ts defineTool': 'All four parameters are inferred from the tool: nobody writes them.',
  'packages/core/src/tool/define.ts Written': 'The parameter of `defineTool`, which has its four.',
  "packages/elements/src/texts/every-page.browser.test.ts the callback of it 'shows conversations in the texts that are provided'":
    'A list of scenes, which share what they set up.',
  "packages/elements/src/texts/every-page.browser.test.ts the callback of it 'shows files in the texts that are provided'":
    'A list of scenes, which share what they set up.',
};
