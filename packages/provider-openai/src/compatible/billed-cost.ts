import type { CompletionUsage } from 'openai/resources/completions';
import type { chunkReader } from '../chat/stream.ts';

type ChunkReader = ReturnType<typeof chunkReader>;

/** Members that servers add to OpenAI's counts. */
interface Billed extends Partial<CompletionUsage> {
  readonly cost?: unknown;
  readonly is_byok?: unknown;
  readonly cost_details?: { readonly upstream_inference_cost?: unknown } | null;
  readonly cost_in_usd_ticks?: unknown;
}

/** Reads the billed cost of a turn, in US dollars; undefined if the server does not report it. */
export type ReadCost = (usage: Billed) => number | undefined;

/** OpenRouter. With a key of the user's own, `cost` is its fee alone: the vendor bills the rest. */
export const readRouterCost: ReadCost = ({ cost, is_byok: hasOwnKey, cost_details: details }) => {
  if (typeof cost !== 'number') return undefined;
  const upstream = hasOwnKey === true ? details?.upstream_inference_cost : undefined;
  return typeof upstream === 'number' ? cost + upstream : cost;
};

/** xAI, in ticks. */
const readTicks: ReadCost = ({ cost_in_usd_ticks: ticks }) => (typeof ticks === 'number' ? ticks / 1e10 : undefined);

const billers: readonly (readonly [place: RegExp, read: ReadCost])[] = [
  [/(?:^|\.)x\.ai$/, readTicks],
  [/(?:^|\.)openrouter\.ai$/, readRouterCost],
];

/** Reader of the billed cost for the server at this address; undefined if the server is not known to report it. */
export function costReaderAt(baseURL: string): ReadCost | undefined {
  if (!URL.canParse(baseURL)) return undefined;
  const { hostname } = new URL(baseURL);
  return billers.find(([place]) => place.test(hostname))?.[1];
}

/** The same parts, and at the end what was billed. */
export function withBilledCost(reader: ChunkReader, readCost: ReadCost): ChunkReader {
  let cost: number | undefined;
  return {
    progress: reader.progress,
    read(chunk) {
      if (chunk?.usage) cost = readCost(chunk.usage) ?? cost;
      return reader.read(chunk);
    },
    end: () =>
      reader
        .end()
        .map((part) =>
          part.type === 'finish' && cost !== undefined ? { ...part, usage: { ...part.usage, cost } } : part,
        ),
  };
}
