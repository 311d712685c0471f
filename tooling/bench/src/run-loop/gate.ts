// Guards against lost speed: compares the ratios of our step to the hand-written loop's with the committed ones.

import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import type { Sample } from './job.ts';
import type { Mode } from './variants/index.ts';

/** Cost of a step as a multiple of the hand-written loop's in the same rounds. */
export interface Ratios {
  /** Ratio of the medians of single steps in the fastest run of each process. */
  readonly step: number;
  readonly allocated: number;
}

/** Ratios of each mode, by number of tools. */
export type Committed = Readonly<Partial<Record<Mode, Readonly<Record<string, Ratios>>>>>;

/** A measured ratio and the committed one. */
export interface Comparison {
  readonly mode: Mode;
  readonly tools: number;
  readonly measure: keyof Ratios;
  /** NaN if one of the loops was not measured. */
  readonly now: number;
  /** NaN if none is committed. */
  readonly committed: number;
}

/** Allowed growth of a ratio: times vary between machines, allocated bytes hardly. */
const tolerance: Ratios = { step: 1.15, allocated: 1.05 };

/** CPUs used by others above which times are unreliable. */
const busyCpus = 0.3;

/** Compares each measured mode and number of tools. */
export function compare(samples: readonly Sample[], committed: Committed): readonly Comparison[] {
  const works = new Map(samples.map(({ mode, work }) => [`${mode} ${work.tools}`, { mode, tools: work.tools }]));
  return [...works.values()].flatMap(({ mode, tools }) => {
    const own = samples.filter((each) => each.mode === mode && each.work.tools === tools);
    const now = ratiosOf(own);
    const before = committed[mode]?.[tools];
    return (['step', 'allocated'] as const).map((measure) => ({
      mode,
      tools,
      measure,
      now: now[measure],
      committed: before?.[measure] ?? NaN,
    }));
  });
}

function ratiosOf(samples: readonly Sample[]): Ratios {
  const timed = samples.filter(({ allocatedKb }) => allocatedKb === undefined);
  const counted = samples.filter(({ allocatedKb }) => allocatedKb !== undefined);
  return {
    step: ratio(timed, ({ stepMs }) => stepMs),
    allocated: ratio(counted, ({ allocatedKb = NaN }) => allocatedKb),
  };
}

/** Median of the ratios of each round. */
function ratio(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const hand = samples.filter(({ variant }) => variant === 'hand');
  return median(
    samples
      .filter(({ variant }) => variant === 'utensil')
      .map((ours) => read(ours) / read(hand.find(({ round }) => round === ours.round) ?? { ...ours, ...nothing })),
  );
}

const nothing = { stepMs: NaN, allocatedKb: NaN };

/** Reason why the gate is closed; undefined if it is open. */
export function gateFailure(comparisons: readonly Comparison[], samples: readonly Sample[]): string | undefined {
  const wrong = comparisons.filter((each) => verdictOf(each) !== 'ok');
  if (wrong.length === 0) return undefined;
  const told = wrong.map(({ mode, tools, measure, now, committed }) => {
    const what = `${mode}, ${tools} tools, ${measure}`;
    return `- ${what}: ${digits(now)} × the hand-written loop, ${digits(committed)} × are committed`;
  });
  const busy = median(samples.map(({ foreignCpus }) => foreignCpus));
  const doubt =
    busy > busyCpus ? `\nOthers kept ${digits(busy)} CPUs busy meanwhile: repeat it on an idle machine.` : '';
  return `A step of the loop became dearer, or was not measured:\n${told.join('\n')}${doubt}\nIf this is meant, say why in the commit, and write these into ratios.ts:\n${asData(comparisons)}`;
}

function verdictOf({ measure, now, committed }: Comparison): 'ok' | 'dearer' | 'unknown' {
  const limit = committed * tolerance[measure];
  return now <= limit ? 'ok' : now > limit ? 'dearer' : 'unknown';
}

export function gateTable(comparisons: readonly Comparison[]): string {
  return table([
    ['mode', 'tools', 'measure', '× hand', 'committed', 'verdict'],
    ...comparisons.map((each) => [
      each.mode,
      `${each.tools}`,
      each.measure,
      digits(each.now),
      digits(each.committed),
      verdictOf(each),
    ]),
  ]);
}

function asData(comparisons: readonly Comparison[]): string {
  const modes = [...new Set(comparisons.map(({ mode }) => mode))];
  const lines = modes.map((mode) => {
    const own = comparisons.filter((each) => each.mode === mode);
    const counts = [...new Set(own.map(({ tools }) => tools))];
    const entries = counts.map((tools) => {
      const of = own.filter((each) => each.tools === tools);
      return `${tools}: { ${of.map(({ measure, now }) => `${measure}: ${digits(now)}`).join(', ')} }`;
    });
    return `  ${mode}: { ${entries.join(', ')} },`;
  });
  return lines.join('\n');
}
