import { noUsage } from '@utensil/core';
import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { withTextTools } from '@utensil/text-dialects';
import { benchmark } from '../runner/benchmark.ts';

/** Length of the prose to read, in characters. */
const length = 8_000_000;
const line =
  'The quick brown fox jumps over the lazy dog, and then it rests (for a while) in the shade; nobody minds.\n';

const subjects = ['Utensil, auto', 'Utensil, hermes', 'indexOf alone'] as const;

interface Job {
  readonly subject: (typeof subjects)[number];
  /** Length of a chunk, in characters. */
  readonly chunk: number;
}

interface Sample extends Job {
  readonly megabytesPerSecond: number;
}

const request: ModelRequest = {
  system: '',
  messages: [],
  tools: [
    { type: 'function', name: 'clock', description: 'The time.', inputSchema: { type: 'object', properties: {} } },
  ],
  toolChoice: 'auto',
};

export const dialectsBenchmark = benchmark<object, Job, Sample>({
  name: 'dialects',
  measures: 'how fast text without any call is read for calls, beside a bare search for one word',
  subjects,
  options: ['rounds', 'quick'],
  plan: ({ rounds, quick }) => ({ rounds: quick === true ? 1 : Number(rounds ?? 5), patienceMs: 0 }),
  open: () => ({
    jobs: () => [65_536, 1_024, 16].flatMap((chunk) => subjects.map((subject) => ({ subject, chunk }))),
    measure: async (job, round) => [await measure(job, round)],
  }),
  report: reportDialects,
});

async function measure(job: Job, round: number): Promise<Sample> {
  const text = `${round} ${line}`.repeat(Math.ceil(length / line.length));
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += job.chunk) chunks.push(text.slice(at, at + job.chunk));
  const start = performance.now();
  const read = job.subject === 'indexOf alone' ? search(chunks) : await readAll(job.subject, chunks);
  const seconds = (performance.now() - start) / 1_000;
  if (read !== text.length) throw new Error(`${job.subject} read ${read} of ${text.length} characters.`);
  return { ...job, megabytesPerSecond: text.length / 1e6 / seconds };
}

function search(chunks: readonly string[]): number {
  return chunks.reduce((sum, chunk) => sum + (chunk.includes('<tool_call>') ? 0 : chunk.length), 0);
}

async function readAll(subject: Job['subject'], chunks: readonly string[]): Promise<number> {
  const inner: Model = {
    info: { api: 'bench', id: 'bench' },
    async *stream(): AsyncGenerator<ModelPart> {
      for (const text of chunks) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop', usage: noUsage };
    },
  };
  const model = withTextTools(inner, subject === 'Utensil, auto' ? 'auto' : 'hermes');
  let read = 0;
  for await (const part of model.stream(request, { signal: new AbortController().signal }))
    if (part.type === 'text-delta') read += part.text.length;
  return read;
}

function reportDialects(samples: readonly Sample[]): string {
  const lines = [65_536, 1_024, 16].flatMap((chunk) =>
    subjects.map((subject) => {
      const all = samples.filter((each) => each.subject === subject && each.chunk === chunk);
      const sorted = all.map(({ megabytesPerSecond }) => megabytesPerSecond).sort((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
      return `| ${subject} | ${chunk} | ${median.toFixed(0)} |`;
    }),
  );
  return ['| subject | characters a chunk | MB/s of prose, median |', '| --- | --- | --- |', ...lines].join('\n');
}
