// The checks as data: a name, and commands that run in the root. To add a check, add a line. Each further checker of the
// compiler would check again what all files share, on cores that the tests need.

export const checks: Readonly<Record<string, readonly string[]>> = {
  format: ['oxfmt --check'],
  lint: ['oxlint'],
  types: ['tsc -p tsconfig.json --checkers 1 --incremental --tsBuildInfoFile .results/types.tsbuildinfo'],
  neutral: ['tsc -p tsconfig.neutral.json --checkers 1'],
  boundaries: ['node tooling/boundaries/main.ts'],
  shape: ['node tooling/shape/main.ts'],
  surface: ['node tooling/surface/main.ts'],
  unused: ['knip --no-config-hints'],
  packages: [
    'turbo run build --output-logs=errors-only',
    'node tooling/packages/main.ts',
    'node tooling/surface/built.ts',
  ],
  docs: ['node tooling/doctest/main.ts', 'tsc -p tsconfig.doctest.json --checkers 1', 'node tooling/documents/main.ts'],
  words: ['node tooling/words/main.ts'],
  texts: ['node --conditions=@utensil/source tooling/checks/texts.ts'],
  chromium: ['node tooling/chromium.ts'],
  parity: ['node tooling/parity/main.ts'],
  models: ['node tooling/models/main.ts'],
  speed: [
    'node --conditions=@utensil/source tooling/bench/src/main.ts run-loop --gate print --mode scripted --tools 100 --wait 0',
  ],
};

/** Checks whose output is for people even if they pass. */
export const printed: readonly string[] = ['speed'];

/** The checks that take seconds, for a change that is under way. */
export const quick: readonly string[] = [
  'format',
  'lint',
  'types',
  'neutral',
  'boundaries',
  'shape',
  'surface',
  'unused',
  'docs',
  'words',
  'chromium',
];

/** Tests need the output of these: code of documents, and a browser. The other checks run in parallel with the tests. */
export const beforeTests: readonly string[] = ['chromium', 'docs'];

/** These read the report of the tests, or want the machine for themselves, so they come after them. */
export const afterTests: readonly string[] = ['parity', 'models', 'speed'];

/**
 * Projects of tests that run at the same time, each group in a Vitest of its own and in this order. One group waits for
 * pages and programs, the other computes; in each, slow projects come first, so that both end at about the same time.
 */
export const testGroups: readonly (readonly string[])[] = [
  ['web-demo', 'browser', 'apps', 'waiting'],
  ['sandbox', 'tooling', 'node', 'doc'],
];
