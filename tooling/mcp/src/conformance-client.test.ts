import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';

// The official conformance suite against our client: what each revision requires of clients, except for sign-in, which has its own.

const modules = join(import.meta.dirname, '../node_modules');
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
let client = '';

beforeAll(async () => {
  client = `${process.execPath} ${await bundledProgram(join(import.meta.dirname, 'conformance-client.ts'), modules)}`;
});

function conformance(scenario: string, revision: string): Promise<{ readonly ok: boolean; readonly output: string }> {
  const args = [suite, 'client', '--command', client, '--scenario', scenario, '--spec-version', revision];
  return new Promise((resolve) => {
    execFile(process.execPath, [...args, '--timeout', '90000'], (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}` });
    });
  });
}

const scenarios = {
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'json-schema-2020-12-preservation',
  ],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
} as const;

describe.each(Object.entries(scenarios))('tools of servers of the revision %s', (revision, names) => {
  it.concurrent.each(names)('conform in the scenario %s', async (name) => {
    const { ok, output } = await conformance(name, revision);
    expect({ ok, output }).toMatchObject({ ok: true });
    expect(Number(/Passed: (\d+)\//.exec(output)?.[1])).toBeGreaterThan(0);
  });
});
