import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server whose tool `add` adds another. It is announced before the result or after it, as the argument says.

const inputSchema = { type: 'object' };
const tools = [{ name: 'add', inputSchema }];
const changed = { method: 'notifications/tools/list_changed' };

serveLines(
  () => tools,
  (name, { id }) => {
    const result = { id, result: texts(`${name} was called`) };
    if (name !== 'add') return write(result);
    tools.push({ name: 'added', inputSchema });
    if (process.argv[2] === 'before') write(changed, result);
    else write(result, changed);
  },
);
