import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server whose tool `add` adds another. It is announced before the result or after it, as the argument says.

const inputSchema = { type: 'object' };
const tools = [{ name: 'add', inputSchema }];
const announce = (): void => write({ method: 'notifications/tools/list_changed' });

serveLines(
  () => tools,
  (name, { id }) => {
    if (name === 'add') tools.push({ name: 'added', inputSchema });
    if (name === 'add' && process.argv[2] === 'before') announce();
    write({ id, result: texts(`${name} was called`) });
    if (name === 'add' && process.argv[2] === 'after') announce();
  },
);
