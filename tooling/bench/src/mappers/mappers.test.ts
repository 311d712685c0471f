import { expect, it } from 'vitest';
import { answerOf, charactersOf, shortRequest } from './answers.ts';
import { apis, readers, type WorkName, workTitles } from './catalog.ts';
import { measure } from './measure.ts';
import { memoryFetch } from './memory-fetch.ts';
import { models, readParts } from './models.ts';
import { sdks } from './sdks.ts';
import { contentTypeOf, eventsOf, piecesOf } from './wires.ts';

const works = Object.keys(workTitles) as readonly WorkName[];
const streams = apis.flatMap((api) => works.flatMap((work) => readers.map((reader) => [api, work, reader] as const)));

it.each(streams)('%s, %s: %s sees all of the answer', async (api, work, reader) => {
  const amounts = { deltas: 60, events: 60, pieceBytes: 0 };
  const { cpuUs } = await measure({ kind: 'stream', api, work, reader, ...amounts });
  expect(cpuUs).toBeGreaterThanOrEqual(0);
});

it.each(streams)('%s, %s: %s shows that an answer was truncated', async (api, work, reader) => {
  const answer = answerOf(work, 60);
  const events = eventsOf(api, answer);
  const server = memoryFetch({
    events: events.slice(0, events.length / 2),
    contentType: contentTypeOf(api),
    pieceBytes: 1000,
  });
  const isSdk = reader === 'sdk';
  const seen = isSdk ? sdks[api](server.fetch)({ stream: true }) : readParts(models[api](server.fetch), shortRequest());
  expect(await seen.catch(() => 0)).toBeLessThan(isSdk ? piecesOf(api, answer) : charactersOf(answer));
});

it.each(apis)('%s: the SDK by itself sends as much as we do', async (api) => {
  const amounts = { messages: 8, tools: 3, threads: 1 };
  const [sdk, ours] = await Promise.all(readers.map((reader) => measure({ kind: 'request', api, reader, ...amounts })));
  expect(ours?.bytes).toBeGreaterThan(1000);
  expect(sdk?.bytes).toBe(ours?.bytes);
});
