// Runs a program of this workspace on a machine that has git, npm and any Node.js from 20 on:
//
//   node tooling/bootstrap/main.mjs <arguments of node>
//
// Installs missing tools into .toolchain: the Node.js of .node-version (only if the running one is outside `engines`)
// and the pnpm of `packageManager`. Both are npm packages, and neither needs an install script.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process, { arch, argv, env, execPath, exit, platform, versions } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const windows = platform === 'win32';
const executable = windows ? '.exe' : '';

const isServed = satisfies(versions.node, manifest.engines.node);
// Each is waited for, so that none is left half fetched by a failure of the other.
const fetched = await Promise.allSettled([isServed ? execPath : fetchNode(), fetchPnpm()]);
for (const { reason } of fetched) if (reason) fail(reason.message);
const [node, pnpm] = fetched.map(({ value }) => value);
env.PATH = [join(root, 'node_modules/.bin'), dirname(node), dirname(pnpm), env.PATH].join(delimiter);

// `npm run lockfile`, after a change of a package.json: everything else installs what the lockfile says, and no more.
const isUpdate = argv[2] === '--update-lockfile';

// Output only when it fails: what follows is the program's own.
const frozen = isUpdate ? '--no-frozen-lockfile' : '--frozen-lockfile';
const install = spawnSync(pnpm, ['install', frozen, '--reporter=append-only'], {
  cwd: root,
  encoding: 'utf8',
});
if (install.status !== 0) {
  fail(
    `the dependencies could not be installed; pnpm says:\n${install.error?.message ?? install.stdout + install.stderr}`,
  );
}

if (isUpdate) exit(0);

process.on('SIGINT', () => {}); // Ctrl-C is for the program, which may end an answer and go on: its end is waited for
const program = spawnSync(node, argv.slice(2), { cwd: root, stdio: 'inherit' });
exit(program.status ?? 1);

function fetchNode() {
  const version = readFileSync(join(root, '.node-version'), 'utf8').trim();
  // The npm registry has Node.js as one package for each platform, named like this.
  const scope = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return fetchPackage(`${scope}-${windows ? 'win' : platform}-${arch}`, version, `bin/node${executable}`);
}

/** pnpm is a native program. It is started directly: npm's link to it is a script that some programs cannot start. */
async function fetchPnpm() {
  const [name, version] = manifest.packageManager.split('@');
  const scope = join(dirname(dirname(await fetchPackage(name, version, 'package.json'))), '@pnpm');
  const carrier = existsSync(scope) && readdirSync(scope).find((folder) => folder.startsWith('exe.'));
  if (!carrier) throw new Error(`there is no pnpm ${version} for ${platform} on ${arch}`);
  return join(scope, carrier, `pnpm${executable}`);
}

/** The path of `file` in a package of the npm registry, kept in .toolchain. */
async function fetchPackage(name, version, file) {
  const folder = join(root, '.toolchain', `${name}-${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (existsSync(path)) return path;
  console.error(`bootstrap: fetching ${name} ${version}`);
  const npm = spawn(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--loglevel=error',
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=5000',
      `${name}@${version}`,
    ],
    { shell: windows, stdio: ['ignore', 'ignore', 'pipe'] }, // on Windows npm is npm.cmd
  );
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const status = await new Promise((resolve) => {
    npm.once('error', ({ message }) => resolve((said = message)));
    npm.once('close', resolve);
  });
  if (status !== 0 || !existsSync(path)) {
    const reason = said.trim().split('\n').slice(0, 4).join('\n');
    throw new Error(
      `${name}@${version} could not be fetched from the npm registry:\n${reason}\nCheck the network, and try again.`,
    );
  }
  return path;
}

/** True if `version` is in `range`: parts such as ^22.18.0 or >=26.0.0, joined by ||. */
function satisfies(version, range) {
  const have = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, operator, numbers] =
      /^(\^|>=)(\d+\.\d+\.\d+)$/.exec(part.trim()) ?? fail(`cannot read the range ${range}`);
    const want = numbers.split('.').map(Number);
    const distance = have.map((number, index) => number - want[index]).find((difference) => difference !== 0) ?? 0;
    return distance >= 0 && (operator === '>=' || have[0] === want[0]);
  });
}

function fail(message) {
  console.error(`bootstrap: ${message}`);
  exit(1);
}
