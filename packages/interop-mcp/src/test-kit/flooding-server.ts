import { serveLines, texts, write } from './lines.ts';
import type { LineRequest } from './lines.ts';

// A server that announces changes of its tools ten thousand times after `flood` is called, and lists them slowly. `counts` gives
// the numbers of notifications sent and lists requested.

const inputSchema = { type: 'object' };
const changed = { method: 'notifications/tools/list_changed' };
const burst = Array.from({ length: 500 }, () => changed);
const counts = { sent: 0, lists: 0, atOnce: 0, most: 0 };

function flood(): void {
  write(...burst);
  counts.sent += burst.length;
  if (counts.sent < 10_000) setImmediate(flood);
}

const tools = (): readonly object[] => ['flood', 'echo', 'counts'].map((name) => ({ name, inputSchema }));

/** Answers after other requests have arrived, if there are any. */
function listed({ id }: LineRequest): void {
  counts.lists++;
  counts.atOnce++;
  counts.most = Math.max(counts.most, counts.atOnce);
  setTimeout(() => {
    counts.atOnce--;
    write({ id, result: { tools: tools() } });
  }, 30);
}

serveLines(
  tools,
  (name, { id }) => {
    if (name === 'flood') flood();
    write({ id, result: texts(name === 'counts' ? JSON.stringify(counts) : name) });
  },
  { listed },
);
