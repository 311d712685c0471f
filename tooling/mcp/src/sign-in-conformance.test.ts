import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';

// The scenarios for sign-in of the official conformance suite. A sample tries the newest revision, and one
// scenario for each subject outside of it; `npm run test:long` tries all. Each starts the suite and a client.

const modules = join(import.meta.dirname, '../node_modules');
const program = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
let client = '';

beforeAll(async () => {
  client = `${process.execPath} ${await bundledProgram(join(import.meta.dirname, 'signing-in-client.ts'), modules)}`;
});

function conformance(...more: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [program, 'client', '--command', client, ...more], options, (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}

/** Scenarios that are in no suite of a revision: one for each subject. */
const sample = [
  '2025-03-26-oauth-metadata-backcompat',
  'authorization-server-migration',
  'dpop-nonce',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'metadata-issuer-mismatch',
  'offline-access-scope',
  'resource-mismatch',
];
const further = [
  'dpop',
  'iss-normalized',
  'iss-not-advertised',
  'iss-supported',
  'iss-unexpected',
  'offline-access-not-supported',
];
const others = inject('isLong') ? [...sample, ...further] : sample;

const revisions = inject('isLong') ? ['2026-07-28', '2025-11-25'] : ['2026-07-28'];

describe('sign-in', () => {
  it.each(revisions)('conforms to revision %s for clients', async (revision) => {
    const output = await conformance('--suite', 'auth', '--spec-version', revision);
    const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(output) ?? [];
    expect({ failed, output: failed === '0' ? '' : output.slice(-20_000) }).toEqual({ failed: '0', output: '' });
    expect(Number(passed)).toBeGreaterThan(200);
  });

  it.concurrent.each(others)('passes every check of the scenario %s', async (scenario) => {
    const output = await conformance('--scenario', `auth/${scenario}`);
    const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(output) ?? [];
    expect({ passed, output: passed === undefined ? output : '' }).toEqual({ passed: all ?? 'all', output: '' });
  });
});
