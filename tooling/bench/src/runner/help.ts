import type { AnyBenchmark } from './benchmark.ts';
import { type OptionName, options } from './options.ts';

/** Help for benchmarks: their purpose and options. */
export function helpOf(benchmarks: readonly AnyBenchmark[]): string {
  const lines = benchmarks.flatMap(({ name, measures, subjects, options: taken }) => [
    `  ${name.padEnd(10)} ${measures}`,
    `             ${subjects.join(' · ')}`,
    `             ${[...taken, 'json' as const].map(usageOf).join(' ')}`,
  ]);
  const known = (Object.keys(options) as OptionName[]).map(
    (name) => `  ${`--${name}`.padEnd(10)} ${options[name].help}`,
  );
  return ['npm run bench -- <name> [options]', '', ...lines, '', ...known].join('\n');
}

function usageOf(name: OptionName): string {
  const { words } = options[name];
  return `[--${name}${words === '' ? '' : ` ${words}`}]`;
}
