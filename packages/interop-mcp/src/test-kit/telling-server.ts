import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server whose tool tells the arguments and the variables that it was started with.

serveLines(
  () => [{ name: 'given', inputSchema: { type: 'object' } }],
  (_, { id }) =>
    write({ id, result: texts(JSON.stringify({ args: process.argv.slice(2), value: process.env['GIVEN'] })) }),
);
