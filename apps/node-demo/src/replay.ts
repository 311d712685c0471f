import { access, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UtensilError } from '@utensil/core';
import { replayThread, type ThreadReplay } from '@utensil/core/testing';
import { exitCodes } from './exit-codes.ts';
import { plain } from './plain.ts';
import { allTools } from './tools.ts';

/** An exported conversation to replay. */
export interface Replaying {
  readonly file: string;
  /** Path of the test to write. */
  readonly test?: string | undefined;
  /** Folder in which the program was started. */
  readonly from: string;
  write(text: string): void;
}

/** Replays an exported conversation with the demo's tools, without executing them. Returns the exit code. */
export async function replay({ file, test, from, write }: Replaying): Promise<number> {
  const path = resolve(from, file);
  const replayed = await replayThread(await readReport(path), { toolset: allTools });
  write(plain(textOf(replayed)));
  if (test !== undefined) write(plain(`${await writeTest(path, resolve(from, test))}\n`));
  return replayed.divergence === undefined ? exitCodes.answered : exitCodes.failed;
}

async function readReport(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new UtensilError('invalid_input', `${path} cannot be read (${why}): name a file that /export wrote.`, {
      cause,
    });
  }
}

function textOf({ divergence, runs, steps, notes }: ThreadReplay): string {
  const counted = `${steps} ${steps === 1 ? 'turn' : 'turns'} of the model in ${runs} ${runs === 1 ? 'run' : 'runs'}`;
  const told = notes.map((note) => `${note}\n`).join('');
  if (divergence === undefined) return `Identical: ${counted}.\n${told}`;
  const { message, runId, step, callId } = divergence;
  const place = [`turn ${step} of run ${runId}`, ...(callId === undefined ? [] : [`call ${callId}`])].join(', ');
  return `First divergence, in ${place}:\n${message}\n${told}`;
}

const testName = /\.test\.[mc]?[jt]s$/;

/** Writes a test that replays the report, and copies the report next to it. */
async function writeTest(report: string, path: string): Promise<string> {
  if (!testName.test(path))
    throw new UtensilError('invalid_input', `--test names a file like found.test.ts; got ${path}.`);
  if (await exists(path)) throw new UtensilError('invalid_input', `${path} exists: name another file.`);
  const copy = path.replace(testName, '.jsonl');
  if (copy !== report && (await exists(copy)))
    throw new UtensilError('invalid_input', `${copy} exists, and the report would replace it: name another file.`);
  await mkdir(dirname(path), { recursive: true });
  if (copy !== report) await copyFile(report, copy);
  const tools = relative(dirname(path), fileURLToPath(new URL('tools.ts', import.meta.url))).replaceAll('\\', '/');
  await writeFile(path, testText(basename(copy), tools.startsWith('.') ? tools : `./${tools}`));
  return `Wrote the test ${path}, with the report next to it.`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** File names may contain quotes, and characters that end the path of a URL. */
function testText(report: string, tools: string): string {
  return `// Passes while the demo behaves as reported. To make it fail until the defect is fixed, correct the report, or name the faulty
// tool in \`real\`, which runs that tool.
import { readFile } from 'node:fs/promises';
import { replayThread } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { allTools } from ${quoted(tools)};

it(${quoted(`does again what ${report} says`)}, async () => {
  const report = await readFile(new URL(${quoted(`./${encodeURIComponent(report)}`)}, import.meta.url), 'utf8');
  const { divergence } = await replayThread(report, { toolset: allTools, real: [] });
  expect(divergence?.message).toBeUndefined();
});
`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
