// The server as a process of its own: prints its address, and ends with its standard input.

import { startServer } from './server.ts';

await using server = await startServer();
console.log(server.url);
for await (const _ of process.stdin);
