import { isObject } from '@utensil/core';
import type { Json } from '@utensil/core';
import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Sends the progress of a call to its client, if requested. An update may be `{ progress, total, message }`, a number,
 * a text, or any JSON, which only counts. The reported number always increases, as MCP requires.
 */
export function progressTo({ mcpReq: { _meta, notify } }: ServerContext): ((update: Json) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last: number | undefined;
  return (update) => {
    const { progress = last === undefined ? 0 : last + 1, total, message } = readUpdate(update);
    if (last !== undefined && progress <= last) return;
    last = progress;
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    notify({ method: 'notifications/progress', params }).catch(() => undefined); // the client has left
  };
}

interface Update {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function readUpdate(update: Json): Update {
  if (typeof update === 'number') return { progress: update };
  if (typeof update === 'string') return { message: update };
  if (!isObject(update)) return { message: JSON.stringify(update) };
  const { progress, total, message } = update;
  const isKnown = typeof progress === 'number' || typeof message === 'string';
  if (!isKnown) return { message: JSON.stringify(update) };
  return {
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
