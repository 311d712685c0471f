import type { ModelRequest } from '@utensil/core';
import { indices } from '../run-loop/work.ts';
import { answerOf, charactersOf, longRequest, nextRequest, shortRequest } from './answers.ts';
import type { ApiName } from './catalog.ts';
import type { Job, Measurement, RequestJob, StreamJob } from './job.ts';
import { type MemoryFetch, memoryFetch } from './memory-fetch.ts';
import { models, readParts } from './models.ts';
import { sdks } from './sdks.ts';
import { contentTypeOf, eventsOf, piecesOf } from './wires.ts';

type Figures = Omit<Measurement, 'processCpuMs'>;

/** Number of requests per thread after the first. */
const laterRequests = 10;

/**
 * Runs a job after a warm-up.
 *
 * @throws if a reader did not see the whole answer.
 */
export function measure(job: Job): Promise<Figures> {
  return job.kind === 'stream' ? measureStream(job) : measureRequests(job);
}

async function measureStream(job: StreamJob): Promise<Figures> {
  const answer = answerOf(job.work, job.deltas);
  const events = eventsOf(job.api, answer);
  const server = memoryFetch({ events, contentType: contentTypeOf(job.api), pieceBytes: job.pieceBytes });
  const body = await bodyOf(job.api, server);
  const ask = job.reader === 'sdk' ? bySdk(job.api, server) : byUs(job.api, server);
  const expected = job.reader === 'sdk' ? piecesOf(job.api, answer) : charactersOf(answer);
  const times = Math.max(1, Math.round(job.events / events.length));

  async function readAll(): Promise<void> {
    for (let time = 0; time < times; time++) {
      const seen = await ask({ request, body });
      if (seen !== expected) throw new Error(`${job.api}, ${job.work}, ${job.reader}: ${seen} seen of ${expected}.`);
    }
  }

  const request = shortRequest();
  await readAll();
  return { cpuUs: (await cpuUsOf(readAll)) / times / events.length };
}

async function measureRequests(job: RequestJob): Promise<Figures> {
  const answer = answerOf('text', 1);
  const server = memoryFetch({
    events: eventsOf(job.api, answer),
    contentType: contentTypeOf(job.api),
    pieceBytes: 1e6,
  });
  for (const thread of threadsOf(job)) await sendThread(job, server, thread);
  const figures: { firstUs: number; laterUs: number }[] = [];
  for (const thread of threadsOf(job)) figures.push(await sendThread(job, server, thread));
  const mean = (key: 'firstUs' | 'laterUs') => figures.reduce((sum, each) => sum + each[key], 0) / figures.length;
  return { cpuUs: mean('laterUs'), firstCpuUs: mean('firstUs'), bytes: (await server.lastBody()).length };
}

/** Prepared before the measurement. */
function threadsOf({ threads, messages, tools }: RequestJob): readonly ModelRequest[] {
  return indices(threads).map(() => longRequest(messages, tools));
}

async function sendThread({ api, reader }: RequestJob, server: MemoryFetch, thread: ModelRequest) {
  const requests = [thread];
  for (let index = 0; index < laterRequests; index++) requests.push(nextRequest(requests.at(-1) ?? thread));
  const bodies = reader === 'sdk' ? await bodiesOf(api, server, requests) : [];
  const ask = reader === 'sdk' ? bySdk(api, server) : byUs(api, server);
  globalThis.gc?.();
  const send = async (from: number, to: number) => {
    for (let at = from; at < to; at++) await ask({ request: requests[at] ?? thread, body: bodies[at] });
  };
  const firstUs = await cpuUsOf(() => send(0, 1));
  const laterUs = (await cpuUsOf(() => send(1, requests.length))) / laterRequests;
  return { firstUs, laterUs };
}

type Question = { readonly request: ModelRequest; readonly body: unknown };

function bySdk(api: ApiName, { fetch }: MemoryFetch): (question: Question) => Promise<number> {
  const ask = sdks[api](fetch);
  return ({ body }) => ask(body);
}

function byUs(api: ApiName, { fetch }: MemoryFetch): (question: Question) => Promise<number> {
  const model = models[api](fetch);
  return ({ request }) => readParts(model, request);
}

async function bodyOf(api: ApiName, server: MemoryFetch): Promise<unknown> {
  const [body] = await bodiesOf(api, server, [shortRequest()]);
  return body;
}

/** Our body, so that the SDK alone sends the same. */
async function bodiesOf(api: ApiName, server: MemoryFetch, requests: readonly ModelRequest[]): Promise<unknown[]> {
  const model = models[api](server.fetch);
  const bodies: unknown[] = [];
  for (const request of requests) {
    await readParts(model, request);
    bodies.push(JSON.parse(await server.lastBody()));
  }
  return bodies;
}

async function cpuUsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
