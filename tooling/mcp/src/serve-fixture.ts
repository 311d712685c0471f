import process from 'node:process';
import { serveMcpHttp, serveMcpStdio } from '@utensil/interop-mcp/node';
import { fixtureTools } from './fixture-tools.ts';

// The fixtures as a program: over stdio, or with `--http` on a port, whose address it prints.

const { served, subscribe } = fixtureTools();
const options = { name: 'fixture', version: '1.0.0', instructions: 'Tools for tests.', subscribe };

if (process.argv.includes('--http')) {
  const { url } = await serveMcpHttp(served, options);
  process.stdout.write(`${url}\n`);
  process.stdin.resume().once('end', () => process.exit());
} else {
  const { closed } = await serveMcpStdio(served, options);
  await closed;
  process.exit(); // whatever a tool has left running
}
