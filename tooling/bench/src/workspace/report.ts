import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { questions, type Temperature, type Variant, variantTitles } from './catalog.ts';
import type { WorkspaceSample } from './job.ts';

const head = ['question', 'by', 'first ms', 'cold ms', '× rg', 'warm ms', '× rg', 'busy CPUs'];

/** One row per question and contender. */
export function reportWorkspace(samples: readonly WorkspaceSample[]): string {
  const variants: readonly Variant[] = ['rg', 'reader', 'files'];
  const rows = questions.flatMap(({ title }) =>
    variants.flatMap((variant) => {
      const own = samples.filter((each) => each.question === title && each.variant === variant);
      return own.length === 0 ? [] : [rowOf(own, samples)];
    }),
  );
  return table([head, ...rows]);
}

function rowOf(own: readonly WorkspaceSample[], all: readonly WorkspaceSample[]): readonly string[] {
  const [first] = own;
  const at = (temperature: Temperature) => own.filter((each) => each.temperature === temperature);
  const ms = (temperature: Temperature) => digits(median(at(temperature).map((each) => each.ms)));
  const ratio = (temperature: Temperature) => digits(median(at(temperature).map((each) => against(each, all))));
  return [
    first?.question ?? '',
    first === undefined ? '' : variantTitles[first.variant],
    digits(median(at('warm').flatMap((each) => each.firstMs ?? []))),
    ms('cold'),
    ratio('cold'),
    ms('warm'),
    ratio('warm'),
    digits(median(own.map(({ busyCpus }) => busyCpus))),
  ];
}

/** Ratio within a round: a disturbance affects both. A process of ripgrep is as fast the first time as later. */
function against(sample: WorkspaceSample, all: readonly WorkspaceSample[]): number {
  const other = all.find(
    (each) =>
      each.variant === 'rg' &&
      each.question === sample.question &&
      each.round === sample.round &&
      each.temperature === sample.temperature,
  );
  return sample.ms / (other?.ms ?? NaN);
}
