import { apis, type WorkName, workTitles } from './catalog.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly api: string;
  readonly only: string;
  readonly pieces?: string | undefined;
  readonly wait?: string | undefined;
}

const works = Object.keys(workTitles) as readonly WorkName[];
const parts = [...works, 'requests'] as const;

/**
 * How thorough the measurements are to be.
 *
 * @throws where a value is none that its option takes.
 */
export function mappersOptions({ quick, rounds, api, only, pieces, wait }: Given) {
  const chosen = only === '' ? parts : only.split(',').map((name) => oneOf('only', name, parts));
  return {
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    apis: api === '' ? apis : api.split(',').map((name) => oneOf('api', name, apis)),
    works: works.filter((work) => chosen.includes(work)),
    deltas: quick ? 500 : 5000,
    events: quick ? 2500 : 25_000,
    pieceBytes: pieces === undefined ? 16_384 : wholeNumber('pieces', pieces, 0),
    threads: chosen.includes('requests') ? (quick ? 1 : 5) : 0,
    messages: 200,
    tools: 1000,
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Error(`--${option} takes whole numbers from ${least}; got "${text}".`);
}

function oneOf<Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new Error(`--${option} takes ${choices.join(', ')}; got "${text}".`);
}
