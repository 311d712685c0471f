import { readFileSync } from 'node:fs';
import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server whose tool is what a file says at the moment, and which tells nobody of changes. A call of `end` ends it.

const file = process.argv[2] ?? '';

const tools = (): readonly object[] => [
  { name: 'post', inputSchema: { type: 'object' }, ...(JSON.parse(readFileSync(file, 'utf8')) as object) },
  { name: 'end', inputSchema: { type: 'object' } },
];

serveLines(tools, (name, { id }) => {
  if (name === 'end') process.exit(1);
  write({ id, result: texts(`${name} was called`) });
});
