import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { type Backend, rawOf, targets, type Variant, variants, type WorkName, workTitles } from './catalog.ts';
import type { StorageSample } from './job.ts';

const titles: Readonly<Record<Backend, string>> = {
  memory: 'In memory',
  filesystem: 'In a directory, on the disk of temporary files',
  indexeddb: 'IndexedDB in a page of Chromium, on the same disk',
};

const head = [
  'work',
  'by',
  'ms',
  'per second',
  'quiet ms',
  'quiet, per second',
  'CPU ms',
  'time × raw',
  'quiet × raw',
  'time × ours',
  'quiet × ours',
  'bytes × given',
  'bytes × ours',
  'target',
  'foreign CPUs',
];

/** One table per backend. */
export function reportStorage(samples: readonly StorageSample[]): string {
  const backends = [...new Set(samples.map(({ backend }) => backend))];
  return backends
    .map((backend) => `${titles[backend]}\n\n${tableOf(samples.filter((each) => each.backend === backend))}\n`)
    .join('\n');
}

/** Drops columns without content. */
function tableOf(samples: readonly StorageSample[]): string {
  const works = Object.keys(workTitles) as WorkName[];
  const rows = [head, ...works.flatMap((work) => rowsOf(samples.filter((each) => each.work === work)))];
  const isSaid = head.map((_, column) => rows.slice(1).some((row) => !['–', ''].includes(row[column] ?? '')));
  return table(rows.map((row) => row.filter((_, column) => isSaid[column])));
}

type Amount = (sample: StorageSample) => number;

const msOf: Amount = ({ ms, operations }) => ms / operations;
const quietMsOf: Amount = ({ quietMs, operations }) => quietMs / operations;
const cpuMsOf: Amount = ({ cpuMs, operations }) => cpuMs / operations;
const bytesOf: Amount = ({ written, given }) => (given === 0 ? NaN : written / given);

function rowsOf(samples: readonly StorageSample[]): readonly (readonly string[])[] {
  const present = [...new Set(samples.map(({ variant }) => variant))];
  return present.map((variant) => {
    const own = samples.filter((each) => each.variant === variant);
    const middle = (amount: Amount) => digits(median(own.map(amount)));
    const against = (other: string | undefined, amount: Amount) =>
      digits(
        ratio(
          own,
          samples.filter((each) => each.variant === other),
          amount,
        ),
      );
    const [first] = own;
    return [
      first === undefined ? '' : workTitles[first.work](first.amounts),
      titleOf(first, variant),
      middle(msOf),
      perSecond(first, median(own.map(msOf))),
      middle(quietMsOf),
      perSecond(first, median(own.map(quietMsOf))),
      middle(cpuMsOf),
      against(rawOf[variant], msOf),
      against(rawOf[variant], quietMsOf),
      against('utensil', msOf),
      against('utensil', quietMsOf),
      middle(bytesOf),
      against('utensil', bytesOf),
      wordsFor(first, variant),
      middle(({ foreignCpus }) => foreignCpus),
    ];
  });
}

function titleOf(sample: StorageSample | undefined, variant: string): string {
  const ofBackend: Readonly<Record<string, Variant>> = variants[sample?.backend ?? 'memory'];
  return ofBackend[variant]?.title ?? variant;
}

/** Only for operations that are repeated often. */
function perSecond(sample: StorageSample | undefined, ms: number): string {
  return (sample?.operations ?? 0) > 3 ? `${Math.round(1000 / ms)}` : '–';
}

function wordsFor(sample: StorageSample | undefined, variant: string): string {
  const fits = targets.filter(
    ({ backend, variant: whose, works }) =>
      backend === sample?.backend && whose === variant && works.includes(sample.work),
  );
  return fits.map(({ words }) => words).join(', ');
}

/** Median of each round's ratio: a disturbance of a round affects both. */
function ratio(own: readonly StorageSample[], others: readonly StorageSample[], amount: Amount): number {
  return median(
    own.map((each) => {
      const other = others.find(({ round }) => round === each.round);
      return other === undefined ? NaN : amount(each) / amount(other);
    }),
  );
}
