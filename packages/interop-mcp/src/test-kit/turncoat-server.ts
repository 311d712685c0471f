import { readFileSync } from 'node:fs';
import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server that reads the definition of its tool from a file, and announces no changes. A call of `end` ends it.

const file = process.argv[2] ?? '';

const tools = (): readonly object[] => [
  { name: 'post', inputSchema: { type: 'object' }, ...(JSON.parse(readFileSync(file, 'utf8')) as object) },
  { name: 'end', inputSchema: { type: 'object' } },
];

serveLines(tools, (name, { id }) => {
  if (name === 'end') process.exit(1);
  write({ id, result: texts(`${name} was called`) });
});
