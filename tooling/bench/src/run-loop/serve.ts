// The server as a separate process: prints its address, and exits with its standard input.

import { startServer } from './server.ts';

await using server = await startServer();
console.log(server.url);
for await (const _ of process.stdin);
