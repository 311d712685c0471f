import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';

// The official conformance suite against our client. A start of the suite takes longer than most scenarios, so those of
// the newest revision share one. `npm run test:long` also tries sign-in at servers of the older
// one.

const modules = join(import.meta.dirname, '../node_modules');
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
let client = '';

beforeAll(async () => {
  client = `${process.execPath} ${await bundledProgram(join(import.meta.dirname, 'conformance-client.ts'), modules)}`;
});

function conformance(...more: readonly string[]): Promise<string> {
  const args = [suite, 'client', '--command', client, '--timeout', '90000', ...more];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}

/** Suites with some of their scenarios. */
const newest = {
  revision: '2026-07-28',
  kind: 'all',
  names: [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
    'auth/authorization-server-migration',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/metadata-issuer-mismatch',
    'auth/offline-access-scope',
    'auth/resource-mismatch',
    'auth/scope-step-up',
  ],
};
const older = { revision: '2025-11-25', kind: 'auth', names: ['auth/pre-registration', 'auth/scope-step-up'] };

it.each(inject('isLong') ? [newest, older] : [newest])(
  'conforms to the revision $revision in every scenario of the suite "$kind"',
  async ({ revision, kind, names }) => {
    const output = await conformance('--suite', kind, '--spec-version', revision);
    const lines = [...output.matchAll(/^[^\w\s] (\S+): (\d+) passed, (\d+) failed/gm)];
    const wrong = lines.filter(([, , passed, failed]) => passed === '0' || failed !== '0').map(([line]) => line);
    expect({ wrong, output: wrong.length > 0 ? output.slice(-20_000) : '' }).toEqual({ wrong: [], output: '' });
    expect(lines.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
    expect(lines.reduce((sum, [, , passed]) => sum + Number(passed), 0)).toBeGreaterThan(200);
  },
);

describe('a scenario', () => {
  it.concurrent.each([
    ['initialize', '2025-11-25'],
    ['tools_call', '2025-11-25'],
    ['elicitation-sep1034-client-defaults', '2025-11-25'],
    ['sse-retry', '2025-11-25'],
    ['json-schema-2020-12-preservation', '2025-11-25'],
    // These are in no suite of a revision.
    ['auth/2025-03-26-oauth-metadata-backcompat'],
    ['auth/dpop'],
    ['auth/dpop-nonce'],
  ])('passes every check: %s', async (name, ...revision) => {
    const output = await conformance('--scenario', name, ...revision.flatMap((each) => ['--spec-version', each]));
    const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(output) ?? [];
    expect({ passed, output: passed === undefined ? output : '' }).toEqual({ passed: all ?? 'all', output: '' });
    expect(Number(passed)).toBeGreaterThan(0);
  });
});
