import type { Model, ModelInfo, ModelRequest } from '@utensil/core';
import { type TurnReader, type WireSettings, modelOver, takenBy } from '@utensil/core/provider';
import { words as apiWords } from './client.ts';

/** The parts of an API that make a model of it. */
export interface GoogleWire<Client> {
  readonly info: ModelInfo;
  readonly client: () => Promise<Client>;
  readonly settings: WireSettings;
  /** For errors: where the key and the address come from. Default: those of the Gemini API. */
  readonly words?: Readonly<Record<string, string>>;
  open(client: Client, request: ModelRequest, signal: AbortSignal): PromiseLike<AsyncIterable<unknown>>;
  reader(request: ModelRequest): TurnReader;
}

/** A model over the SDK. */
export function createModel<Client>({
  info,
  client,
  settings,
  open,
  reader,
  words = apiWords,
}: GoogleWire<Client>): Model {
  return modelOver<unknown, Client>({
    info: { ...info, supports: { ...info.supports, settings: takenBy(settings), partOptions: true } },
    words,
    connect: client,
    open: (request, { client: connected, signal }) => open(connected, request, signal),
    reader,
    classifyError: async (thrown, phase) => (await import('./failures.ts')).classifyError(thrown, phase),
  });
}
