// The client that the conformance suite starts, with the address of a server as the last argument.

import process from 'node:process';

const isSignIn = process.env['MCP_CONFORMANCE_SCENARIO']?.startsWith('auth/') === true;
await (isSignIn ? import('./signing-in-client.ts') : import('./tool-client.ts'));
