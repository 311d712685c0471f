import type { Json } from '../../base/json.ts';
import type { ModelPart, ToolCall } from '../model.ts';
import type { TurnReader } from './wire.ts';

/** Result of a provider-run call, from an event. */
export interface FoundResult {
  /** Absent: the latest call without a result. */
  readonly callId?: string | undefined;
  /** Set if the call was in an earlier turn. */
  readonly name: string;
  readonly output: Json;
  readonly isError?: boolean;
}

/** Adds the results of provider-run calls to the parts. `resultsIn` extracts them from an event. */
export function withProviderResults<Event>(
  reader: TurnReader<Event>,
  resultsIn: (event: Event) => readonly FoundResult[],
): TurnReader<Event> {
  const open = new Map<string, ToolCall>();
  const told = new Set<string>(); // a vendor or proxy may repeat one

  function toPart({ callId, name, output, isError = false }: FoundResult): ModelPart {
    const call = callId === undefined ? [...open.values()].at(-1) : open.get(callId);
    const id = call?.callId ?? callId ?? name;
    open.delete(id);
    if (callId !== undefined) told.add(callId);
    return { type: 'provider-result', callId: id, name: call?.name ?? name, output, isError };
  }

  return {
    progress: reader.progress,
    end: reader.end,
    read(event) {
      const parts = reader.read(event);
      for (const part of parts)
        if (part.type === 'tool-call' && part.executedBy === 'provider') open.set(part.callId, part);
      const results = resultsIn(event).filter(({ callId }) => callId === undefined || !told.has(callId));
      return results.length === 0 ? parts : [...parts, ...results.map(toPart)];
    },
  };
}
