import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { parts } from './catalog.ts';
import type { RunsSample } from './job.ts';

/** One table per part; each figure is the median over the rounds. */
export function reportRuns(samples: readonly RunsSample[]): string {
  return [...new Set(samples.map(({ part }) => part))]
    .map((part) => {
      const { title = part, target = '' } = parts[part] ?? {};
      return `${title} (target: ${target})\n\n${tableOf(samples.filter((each) => each.part === part))}\n`;
    })
    .join('\n');
}

function tableOf(samples: readonly RunsSample[]): string {
  const columns = [...new Set(samples.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = [...new Set(samples.map(({ variant }) => variant))].map((variant) => {
    const own = samples.filter((each) => each.variant === variant);
    const figures = columns.map((column) => digits(median(own.map(({ figures: its }) => its[column] ?? NaN))));
    return [variant, ...figures, digits(median(own.map(({ foreignCpus }) => foreignCpus)))];
  });
  return table([['by', ...columns, 'foreign CPUs'], ...rows]);
}
