import { type Effort, effortOf, type Given, someOf, wholeNumber } from '../runner/options.ts';
import { type ApiName, apis, type WorkName, workTitles } from './catalog.ts';

/** Thoroughness of the measurements. */
export interface MappersPlan extends Effort {
  readonly apis: readonly ApiName[];
  readonly works: readonly WorkName[];
  /** Size of an answer. */
  readonly deltas: number;
  readonly events: number;
  readonly pieceBytes: number;
  /** Number of threads to send; 0: requests are not measured. */
  readonly threads: number;
  readonly messages: number;
  readonly tools: number;
}

const works = Object.keys(workTitles) as readonly WorkName[];
const parts = [...works, 'requests'] as const;

/** Throws if an option has an invalid value. */
export function mappersPlan(given: Given): MappersPlan {
  const { quick, api, only, pieces } = given;
  const chosen = someOf('only', only, parts);
  return {
    ...effortOf(given),
    apis: someOf('api', api, apis),
    works: works.filter((work) => chosen.includes(work)),
    deltas: quick ? 500 : 5000,
    events: quick ? 2500 : 25_000,
    pieceBytes: pieces === undefined ? 16_384 : wholeNumber('pieces', pieces, 0),
    threads: chosen.includes('requests') ? (quick ? 1 : 5) : 0,
    messages: 200,
    tools: 1000,
  };
}
