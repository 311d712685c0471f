import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { serveMcpHttp } from '@utensil/interop-mcp/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureTools } from './fixture-tools.ts';

// The official conformance suite against the fixtures. What is not offered is in `not-offered-….yaml`, and nothing else: an entry
// that passes fails the suite as well.

const program = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/conformance/dist/index.js');

let server: Awaited<ReturnType<typeof serveMcpHttp>>;

beforeAll(async () => {
  const { served, subscribe } = fixtureTools();
  server = await serveMcpHttp(served, { name: 'fixture', version: '1.0.0', subscribe });
});

afterAll(() => server.close());

function conformance(...more: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }> {
  const args = [program, 'server', '--url', server.url, ...more];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}` });
    });
  });
}

describe('a toolset as a server', () => {
  it.each(['2025-11-25', '2026-07-28'])('conforms to revision %s for tools', async (revision) => {
    const expected = join(import.meta.dirname, `not-offered-${revision}.yaml`);
    const { ok, output } = await conformance('--requirements', revision, '--expected-failures', expected);
    expect({ ok, output }).toMatchObject({ ok: true });
    expect(Number(/Total: (\d+) passed/.exec(output)?.[1])).toBeGreaterThan(45);
  });

  it('fails a scenario that is not offered', async () => {
    const { ok } = await conformance('--scenario', 'resources-list');
    expect(ok).toBe(false);
  });
});
