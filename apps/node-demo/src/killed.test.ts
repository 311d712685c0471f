// A run that is killed at a boundary and resumed by another process. `pnpm test:long` tries every boundary with every answer
// that a person can give about uncertain calls, and also kills the process that takes the run over; other test runs try
// every twelfth boundary, with alternating answers.
import type { ModelRequest } from '@utensil/core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { required, unreached } from './test-kit/killed/coverage.ts';
import { complaintsAbout } from './test-kit/killed/judge.ts';
import { openTheatre, type Theatre } from './test-kit/killed/processes.ts';
import type { Recovery, Said } from './test-kit/killed/program.ts';
import { divergencesIn } from './test-kit/killed/replayed.ts';
import { distinct, hearers, refusals } from './test-kit/killed/verdict.ts';

const answers: readonly Recovery[] = ['accept', 'reject', 'again', 'nobody'];
const isLong = inject('isLong');

interface Kill {
  readonly boundary: string;
  readonly answer: Recovery;
  /** Boundary at which to kill the process that takes the run over; a third one then resumes it. */
  readonly again?: string;
}

interface Killed extends Kill {
  readonly wasKilled: boolean;
  /** Processes that reached their boundary and outlived it, or ended before it by a signal. */
  readonly astray: readonly string[];
  readonly requests: readonly ModelRequest[];
  readonly complaints: readonly string[];
  /** The thread at the end, as text. */
  readonly report: string;
}

let theatre: Theatre;
let status: string | undefined;
let boundaries: readonly string[];
let killed: readonly Killed[];

/** Kills a run. One that missed its boundary begins again in another place: parallel work takes more than one way. */
async function kill(given: Kill): Promise<Killed> {
  let done = await killOnce(given);
  for (let retries = 0; !done.wasKilled && done.astray.length === 0 && retries < 5; retries++)
    done = await killOnce(given);
  return done;
}

/** Kills a run, resumes it, and returns the final state. */
async function killOnce(given: Kill): Promise<Killed> {
  const { boundary, answer, again } = given;
  const place = await theatre.place();
  const first = await place.begin({ answer, killAt: boundary });
  const second = again === undefined ? first : await place.takeOver({ answer, killAt: again });
  const begun = second === first ? first.said : [...first.said, ...second.said];
  const before = await place.effects();
  const said = await place.goOn({ answer });
  const [after, messages, runs] = [await place.effects(), await place.messages(), await place.runs()];
  const complaints = complaintsAbout({ answer, before, after, begun, said, messages, runs });
  const requests = said.flatMap((each) => (each.type === 'request' ? [each.request] : []));
  const report = await place.report();
  const astray = new Set([first, second].flatMap((each) => each.astray));
  return {
    ...given,
    wasKilled: first.wasKilled && second.wasKilled,
    astray: [...astray],
    requests,
    complaints,
    report,
  };
}

/** Plays a run to its end, and returns what it reports. */
async function playWhole(answer: Recovery): Promise<readonly Said[]> {
  return (await (await theatre.place()).begin({ answer })).said;
}

function boundariesIn(said: readonly Said[]): readonly string[] {
  return said.flatMap((each) => (each.type === 'boundary' ? [each.name] : []));
}

/** Everything in `lanes` at a time. */
async function inLanes<Item, Result>(lanes: number, items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const waiting = [...items];
  const done: Result[] = [];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}

/** Boundaries of a takeover, in order. */
const takeover = [
  'before thread.claim',
  'before storage.commit(/threads/killed/lease.json)',
  'after storage.commit(/threads/killed/lease.json)',
  'after thread.claim',
  'after thread.read (3)',
];

/** Boundary of the second kill, and the answer in the third process: over many boundaries, every combination. */
function twice(index: number, possible: readonly Recovery[]): Pick<Kill, 'answer' | 'again'> {
  const [again = '', answer = 'accept'] = [takeover[index % takeover.length], possible[index % possible.length]];
  return { again, answer };
}

beforeAll(async () => {
  theatre = await openTheatre();
  const said = await playWhole('accept');
  status = said.flatMap((each) => (each.type === 'end' ? [each.status] : []))[0];
  boundaries = boundariesIn(said);
  const unattended = boundariesIn(await playWhole('nobody'));
  const kills = boundaries.flatMap((boundary, index): readonly Kill[] => {
    const possible = answers.filter((answer) => answer !== 'nobody' || unattended.includes(boundary));
    const sample = index % 12 === 0 ? possible.filter((_, each) => each === (index / 12) % possible.length) : [];
    return [
      ...(isLong ? possible : sample).map((answer) => ({ boundary, answer })),
      ...(isLong || index % 31 === 0 ? [{ boundary, ...twice(index, possible) }] : []),
    ];
  });
  killed = await inLanes(2, kills, kill);
});
afterAll(() => theatre[Symbol.asyncDispose]());

it('is killed at its boundaries, on either side of everything that a run does', () => {
  const count = killed.filter(({ wasKilled }) => wasKilled).length;
  const again = killed.filter((each) => each.again !== undefined && each.wasKilled).length;
  const complaints = killed.flatMap((each) => each.complaints).length;
  console.log(
    `${boundaries.length} boundaries, ${count} of ${killed.length} runs killed, ${again} of them twice; ${complaints} complaints.`,
  );
  expect(killed.flatMap(({ astray }) => astray)).toEqual([]);
  expect(count).toBeGreaterThan(killed.length * 0.9); // the others: boundaries of a way that few runs take
  expect(status).toBe('limit'); // the script was played to its end, where its time is over
  expect(unreached(boundaries)).toEqual([]);
});

it('notices a boundary that is never reached', () => {
  for (const what of required) {
    const without = boundaries.filter((name) => unreached([name], [what]).length === 2);
    expect(unreached(without, [what])).toEqual([`before ${what}`, `after ${what}`]);
    const isBefore = (name: string): boolean => name.startsWith('before ');
    const oneSide = boundaries.filter((name) => without.includes(name) || isBefore(name));
    expect(unreached(oneSide, [what])).toEqual([`after ${what}`]);
  }
  expect(unreached(boundaries, ['thread.append(planted)'])).toHaveLength(2);
});

it('notices repeated and lost effects, and a takeover by another run or under an old claim', () => {
  const claimed = { type: 'claimed', fence: 2, runId: 'a' } as const;
  const found = { type: 'found', calls: ['mail'], results: ['send'] } as const;
  const said = [found, claimed, { type: 'end', status: 'complete' }] as const;
  const given = { answer: 'accept', messages: [], before: ['send'], begun: [claimed], said } as const;
  const complaints = complaintsAbout({ ...given, after: ['send', 'send'], runs: ['a', 'b'] });
  expect(complaints).toEqual(
    expect.arrayContaining([
      'The call mail was lost.',
      'send had its result, and was done again.',
      'send was done 2 times.',
      'It went on under the fence 2, after 2.',
      'It went on as another run: a,b.',
    ]),
  );
});

it('[S0-17] [D3-08] resumes after kill -9: nothing is repeated or lost, and a person is asked about uncertain calls', () => {
  expect(
    killed.flatMap(({ boundary, answer, again = 'once', complaints }) =>
      complaints.map((each) => `${boundary}, ${again}, ${answer}: ${each}`),
    ),
  ).toEqual([]);
});

it('replays every thread that is left, five times, without a difference', async () => {
  const left = killed.filter(({ report }) => report.includes('run-begun')); // some are killed before they store anything
  const sample = left.filter((_, index) => isLong || index % 8 === 0);
  const divergences: string[] = [];
  for (const { boundary, again = 'once', answer, report } of sample)
    for (let time = 0; time < 5; time++)
      for (const each of await divergencesIn(report)) divergences.push(`${boundary}, ${again}, ${answer}: ${each}`);
  console.log(`${sample.length} threads replayed 5 times each; ${divergences.length} divergences.`);
  expect(divergences).toEqual([]);
});

it.each(hearers)('[S2-12] [A0-10] [A2-07] asks for its next turn as $name takes it', async (vendor) => {
  const all = distinct(killed.flatMap((each) => each.requests));
  const turn = hearers.indexOf(vendor); // dialects share their requests: each hears some, and all together hear all
  const requests = all.filter((_, index) => isLong || !vendor.name.startsWith('text: ') || index % 6 === turn % 6);
  expect(requests.length).toBeGreaterThan(0);
  expect(await refusals(vendor, requests)).toEqual([]);
});
