import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { apis, type Reader, type WorkName, workTitles } from './catalog.ts';
import type { RequestJob } from './job.ts';
import type { MapperSample } from './job.ts';

/** Target ratio of our provider with its SDK to the SDK alone. */
const target = 2;

/** A table of answers, and one of requests. */
export function reportMappers(samples: readonly MapperSample[]): string {
  const parts = [
    ['Answers: CPU of an event in µs', table([streamHead, ...streamRows(samples)])],
    ['Requests: CPU of one in ms', table([requestHead, ...requestRows(samples)])],
  ] as const;
  return parts.map(([title, body]) => `${title}\n\n${body}\n`).join('\n');
}

const streamHead = ['API', 'answer', 'SDK alone', 'Utensil', 'Utensil × SDK', `≤ ${target} ×`, 'foreign CPUs'];

function streamRows(samples: readonly MapperSample[]): readonly (readonly string[])[] {
  return apis.flatMap((api) =>
    (Object.keys(workTitles) as WorkName[]).flatMap((work) => {
      const of = (reader: Reader) =>
        samples.filter(
          ({ job }) => job.kind === 'stream' && job.api === api && job.work === work && job.reader === reader,
        );
      const [sdk, ours] = [of('sdk'), of('utensil')];
      if (ours.length === 0) return [];
      const ratio = ratioOf(ours, sdk, cpuOf);
      return [
        [
          api,
          workTitles[work],
          digits(median(sdk.map(cpuOf))),
          digits(median(ours.map(cpuOf))),
          digits(ratio),
          ratio <= target ? 'yes' : 'no',
          digits(median([...sdk, ...ours].map(({ foreignCpus }) => foreignCpus))),
        ],
      ];
    }),
  );
}

const requestHead = [
  'API',
  'messages',
  'tools',
  'body KB',
  'SDK alone',
  'Utensil, first',
  'Utensil, later',
  'first × SDK',
  'later × SDK',
  'foreign CPUs',
];

function requestRows(samples: readonly MapperSample[]): readonly (readonly string[])[] {
  return apis.flatMap((api) => {
    const of = (reader: Reader) =>
      samples.filter(({ job }) => job.kind === 'request' && job.api === api && job.reader === reader);
    const [sdk, ours] = [of('sdk'), of('utensil')];
    const [first] = ours;
    if (first === undefined) return [];
    const { messages, tools } = first.job as RequestJob;
    return [
      [
        api,
        `${messages}`,
        `${tools}`,
        digits((first.bytes ?? NaN) / 1000),
        digits(median(sdk.map(cpuOf)) / 1000),
        digits(median(ours.map(firstCpuOf)) / 1000),
        digits(median(ours.map(cpuOf)) / 1000),
        digits(ratioOf(ours, sdk, firstCpuOf)),
        digits(ratioOf(ours, sdk, cpuOf)),
        digits(median([...sdk, ...ours].map(({ foreignCpus }) => foreignCpus))),
      ],
    ];
  });
}

function cpuOf({ cpuUs }: MapperSample): number {
  return cpuUs;
}

function firstCpuOf({ firstCpuUs = NaN }: MapperSample): number {
  return firstCpuUs;
}

/** Median of each round's ratio to the SDK: a disturbance of a round affects both. */
function ratioOf(
  ours: readonly MapperSample[],
  others: readonly MapperSample[],
  amount: (sample: MapperSample) => number,
): number {
  return median(ours.map((each) => amount(each) / (others.find(({ round }) => round === each.round)?.cpuUs ?? NaN)));
}
