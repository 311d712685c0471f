import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';

// The official conformance suite against our client. Starting it takes longer than most scenarios, so all scenarios of the newest
// revision share one start. `npm run test:long` also runs the sign-in scenarios of the older revision.

const modules = join(import.meta.dirname, '../node_modules');
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
let client = '';

beforeAll(async () => {
  client = `${process.execPath} ${await bundledProgram(join(import.meta.dirname, 'conformance-client.ts'), modules)}`;
});

/** `ok`: nothing failed, and nothing was warned of. */
function conformance(...more: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }> {
  const args = [suite, 'client', '--command', client, '--timeout', '90000', ...more];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
}

/** Suites. `names`: scenarios that must have run; `least`: checks that must have passed. */
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
    'auth/iss-normalized',
    'auth/iss-not-advertised',
    'auth/iss-supported',
    'auth/iss-supported-missing',
    'auth/iss-unexpected',
    'auth/iss-wrong-issuer',
    'auth/metadata-issuer-mismatch',
    'auth/offline-access-not-supported',
    'auth/offline-access-scope',
    'auth/resource-mismatch',
    'auth/scope-step-up',
  ],
  least: 400,
};
const older = {
  revision: '2025-11-25',
  kind: 'auth',
  names: ['auth/pre-registration', 'auth/scope-step-up'],
  least: 200,
};

it.each(inject('isLong') ? [newest, older] : [newest])(
  'conforms to the revision $revision in every scenario of the suite "$kind"',
  async ({ revision, kind, names, least }) => {
    const { ok, output } = await conformance('--suite', kind, '--spec-version', revision);
    const lines = [...output.matchAll(/^[^\w\s] (\S+): (\d+) passed, (\d+) failed/gm)];
    const wrong = lines.filter(([, , passed, failed]) => passed === '0' || failed !== '0').map(([line]) => line);
    expect({ wrong, output: wrong.length > 0 ? output.slice(-20_000) : '' }).toEqual({ wrong: [], output: '' });
    expect(ok).toBe(true);
    expect(output).not.toMatch(/: skipped$/m);
    expect(lines.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
    expect(lines.reduce((sum, [, , passed]) => sum + Number(passed), 0)).toBeGreaterThanOrEqual(least);
  },
);

describe('a scenario', () => {
  it.concurrent.each([
    ['initialize', '2025-11-25'],
    ['tools_call', '2025-11-25'],
    ['elicitation-sep1034-client-defaults', '2025-11-25'],
    ['sse-retry', '2025-11-25'],
    ['json-schema-2020-12-preservation', '2025-11-25'],
    // No revision's suite includes these.
    ['auth/2025-03-26-oauth-metadata-backcompat'],
    ['auth/dpop'],
    ['auth/dpop-nonce'],
  ])('passes every check: %s', async (name, ...revision) => {
    const { ok, output } = await conformance(
      '--scenario',
      name,
      ...revision.flatMap((each) => ['--spec-version', each]),
    );
    const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(output) ?? [];
    const isWhole = ok && passed !== undefined;
    expect({ ok, passed, output: isWhole ? '' : output }).toEqual({ ok: true, passed: all ?? 'all', output: '' });
    expect(Number(passed)).toBeGreaterThan(0);
  });
});
