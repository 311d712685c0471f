import { noUsage } from '@utensil/core';
import type { FunctionDefinition, Model, ModelPart, ModelRequest } from '@utensil/core';
import { dialects, withTextTools } from '@utensil/text-dialects';
import type { DialectName } from '@utensil/text-dialects';
import { callHeavy, hostileLength, hostileTexts, markdown, prose } from './texts.ts';

/** Characters of each text. */
const lengths = { prose: 8_000_000, markdown: 4_000_000, calls: 2_000_000 } as const;

/** A text is read again for this long, after a first time: one pass over prose takes a millisecond, in which any pause counts. */
const leastMs = 150;

export type Reader = DialectName | 'auto' | 'indexOf alone';

/** A text that is read in chunks: once for its speed, or each hostile text for its cost. */
export interface Job {
  readonly part: 'prose' | 'markdown' | 'calls' | 'hostile';
  readonly reader: Reader;
  /** Length of a chunk, in characters. */
  readonly chunk: number;
}

export type Sample = Job & ({ readonly megabytesPerSecond: number } | { readonly costs: readonly Cost[] });

/** CPU time of one hostile text. */
export interface Cost {
  readonly text: string;
  readonly cpuMs: number;
}

function tool(name: string, ...keys: readonly string[]): FunctionDefinition {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { type: 'function', name, description: name, inputSchema: { type: 'object', properties, required: keys } };
}

const request: ModelRequest = {
  system: '',
  messages: [],
  tools: [tool('clock'), tool('read_file', 'path'), tool('write_file', 'path', 'content')],
  toolChoice: 'auto',
};

/** Runs a job; `isQuick` reads one of ten hostile texts. */
export async function measure(job: Job, round: number, isQuick: boolean): Promise<Sample> {
  if (job.part === 'hostile') return { ...job, costs: await costsOf(job, isQuick) };
  const length = lengths[job.part];
  const { reader, chunk } = job;
  const spoken = reader === 'auto' || reader === 'indexOf alone' ? dialects.hermes : dialects[reader];
  const text = job.part === 'calls' ? callHeavy(length, spoken) : { prose, markdown }[job.part](length, round);
  const chunks = cut(text, chunk);
  const pass = (): Read | Promise<Read> => (reader === 'indexOf alone' ? search(chunks) : readAll(reader, chunks));
  const read = await pass();
  const start = performance.now();
  let passes = 0;
  for (; passes === 0 || performance.now() - start < leastMs; passes++) await pass();
  const seconds = (performance.now() - start) / 1_000 / passes;
  if (job.part !== 'calls' && read.text !== text.length) throw new Error(`${reader} lost text.`);
  if (job.part === 'calls' && reader !== 'indexOf alone' && read.calls < 1) throw new Error(`${reader} found no call.`);
  return { ...job, megabytesPerSecond: text.length / 1e6 / seconds };
}

async function costsOf({ reader, chunk }: Job, isQuick: boolean): Promise<readonly Cost[]> {
  if (reader === 'indexOf alone') throw new Error('A search has no hostile texts.');
  const texts = [...hostileTexts()].filter((_, index) => !isQuick || index % 10 === 0);
  for (const [, text] of texts.slice(0, 20)) await readAll(reader, cut(text.slice(0, 20_000), 8)); // warm up
  const costs: Cost[] = [];
  for (const [name, text] of texts) {
    const chunks = cut(text, Math.min(chunk, hostileLength));
    const start = process.cpuUsage();
    await readAll(reader, chunks);
    const { user, system } = process.cpuUsage(start);
    costs.push({ text: name, cpuMs: (user + system) / 1_000 });
  }
  return costs;
}

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

interface Read {
  readonly text: number;
  readonly calls: number;
}

function search(chunks: readonly string[]): Read {
  const text = chunks.reduce((sum, chunk) => sum + (chunk.includes('<tool_calls_>') ? 0 : chunk.length), 0);
  return { text, calls: 0 };
}

async function readAll(reader: DialectName | 'auto', chunks: readonly string[]): Promise<Read> {
  const inner: Model = {
    info: { api: 'bench', id: 'bench' },
    async *stream(): AsyncGenerator<ModelPart> {
      for (const text of chunks) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop', usage: noUsage };
    },
  };
  const read = { text: 0, calls: 0 };
  for await (const part of withTextTools(inner, reader).stream(request, { signal: new AbortController().signal })) {
    if (part.type === 'text-delta') read.text += part.text.length;
    if (part.type === 'tool-call') read.calls++;
  }
  return read;
}
