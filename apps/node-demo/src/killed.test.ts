// A run that is killed at any boundary there is, and gone on with by another process. `pnpm test:long` does so at every
// boundary under every answer that a person can give about what may have happened; the tests take every third boundary,
// and the answers in turn.
import type { ModelRequest } from '@utensil/core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { complaintsAbout } from './test-kit/killed/judge.ts';
import { openTheatre, type Theatre } from './test-kit/killed/processes.ts';
import type { Recovery } from './test-kit/killed/program.ts';
import { distinct, hearers, refusals } from './test-kit/killed/verdict.ts';

const answers: readonly Recovery[] = ['accept', 'reject', 'again', 'nobody'];
const isLong = inject('isLong');

/** Members of a run's handler that are no effects of its loop, and why. */
const noEffects: Readonly<Record<string, string>> = {
  decline: 'It is told that what a person sent settles open questions: nothing is done.',
  declined: 'It is asked whether questions are settled that way.',
  lastRequest: 'It gives the request that the model was asked with.',
  mark: 'It is told by a run inside that it changes something: what is stored then has boundaries.',
  streamed: 'It is asked by an abort what there is, and does nothing.',
};

interface Kill {
  readonly boundary: string;
  readonly answer: Recovery;
}

interface Killed extends Kill {
  readonly wasKilled: boolean;
  readonly requests: readonly ModelRequest[];
  readonly complaints: readonly string[];
}

let theatre: Theatre;
let status: string | undefined;
let methods: readonly string[];
let boundaries: readonly string[];
let killed: readonly Killed[];

/** Kills a run, goes on with it, and looks at what is there then. */
async function kill({ boundary, answer }: Kill): Promise<Killed> {
  const place = await theatre.place();
  const { wasKilled } = await place.begin({ answer, killAt: boundary });
  const before = await place.effects();
  const said = await place.goOn({ answer });
  const [after, messages] = [await place.effects(), await place.messages()];
  const complaints = complaintsAbout({ answer, before, after, said, messages });
  const requests = said.flatMap((each) => (each.type === 'request' ? [each.request] : []));
  return { boundary, answer, wasKilled, requests, complaints };
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

beforeAll(async () => {
  theatre = await openTheatre();
  const { said } = await (await theatre.place()).begin({ answer: 'accept' });
  status = said.flatMap((each) => (each.type === 'end' ? [each.status] : []))[0];
  methods = said.flatMap((each) => (each.type === 'handler' ? each.methods : []));
  boundaries = said.flatMap((each) => (each.type === 'boundary' ? [each.name] : []));
  const answersTo = (index: number) =>
    isLong ? answers : answers.filter((_, each) => 3 * each === index % (3 * answers.length));
  const kills = boundaries.flatMap((boundary, index) => answersTo(index).map((answer) => ({ boundary, answer })));
  killed = await inLanes(2, kills, kill);
});
afterAll(() => theatre[Symbol.asyncDispose]());

it('is killed at its boundaries, on either side of everything that a run does', () => {
  const count = killed.filter(({ wasKilled }) => wasKilled).length;
  console.log(`${boundaries.length} boundaries, ${count} of ${killed.length} runs killed.`);
  expect(count).toBeGreaterThan(killed.length * 0.9); // what runs at once does not take the same way every time
  expect(status).toBe('limit'); // the script was played to its end, where its time is over
  const reached = methods.filter((method) => boundaries.some((name) => name.split(' ')[1] === method));
  expect([...reached, ...Object.keys(noEffects)].sort()).toEqual([...methods].sort());
});

it('[S0-17] [D3-08] goes on after kill -9: nothing is done twice, nothing is lost, and what may have happened is asked about', () => {
  expect(
    killed.flatMap(({ boundary, answer, complaints }) => complaints.map((each) => `${boundary}, ${answer}: ${each}`)),
  ).toEqual([]);
});

it.each(hearers)('[S2-12] [A0-10] [A2-07] asks for its next turn as $name takes it', async (vendor) => {
  const requests = distinct(killed.flatMap((each) => each.requests));
  expect(requests.length).toBeGreaterThan(0);
  expect(await refusals(vendor, requests)).toEqual([]);
});
