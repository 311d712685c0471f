import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { childProcesses } from './child-process.ts';
import { readPdf } from './read-pdf.ts';
import { readWith } from './reading.ts';
import { bombs, contentsOf, endless, pagesOf, values } from '../../../tooling/fixtures/attacks/pdfs.ts';
import type { Bomb } from '../../../tooling/fixtures/attacks/pdfs.ts';

const unpackedBytes = 32 * 2 ** 20;
const within = { limits: { unpackedBytes, timeoutMs: 100_000 } };
const shortly = { limits: { unpackedBytes, timeoutMs: 500 } };

function bomb(name: string): Bomb {
  const found = bombs.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

/** A program that reads an endless PDF, and prints the id of the reading process once it is at work. */
const host = `
  import child_process from 'node:child_process';
  const { fork } = child_process;
  child_process.fork = (...values) => {
    const child = fork(...values);
    child.once('message', () => setTimeout(() => console.log(child.pid), 500));
    return child;
  };
  const { readPdf } = await import('${new URL('read-pdf.ts', import.meta.url).href}');
  const { bombs } = await import('${new URL('../../../tooling/fixtures/attacks/pdfs.ts', import.meta.url).href}');
  const { bytes } = bombs.find(({ stoppedBy, name }) => stoppedBy === 'time' && name.includes('forms'));
  await readPdf(bytes(), { limits: { timeoutMs: 50_000, unpackedBytes: 2 ** 40 } });
`;

/** False for a process that has ended, also if nobody has collected it, as in containers without an init. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function refused(): never {
  throw new Error('refused by a Content-Security-Policy');
}

/** Number of running child processes. */
function children(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}

describe('a PDF', () => {
  it('is read page by page, in a process of its own', async () => {
    expect(await readPdf(pagesOf('Hello', 'World'))).toEqual({
      text: '[page 1]\nHello\n\n[page 2]\nWorld',
      pages: 2,
      read: 2,
    });
    expect(await readPdf(pagesOf(''))).toEqual({ text: '', pages: 1, read: 1 });
    expect('pdfjsWorker' in globalThis).toBe(false); // set wherever the parser is loaded
  });

  it('is read up to a number of pages and characters', async () => {
    const three = pagesOf('One', 'Two', 'Three');
    expect(await readPdf(three, { limits: { pages: 2 } })).toMatchObject({ pages: 3, read: 2 });
    const cut = await readPdf(three, { limits: { characters: 5 } });
    expect(cut).toMatchObject({ text: '[page 1]\nOne\n\n[page 2]\nTw', read: 2 });
  });

  it('is read without a time limit, if that is endless', async () => {
    expect(await readPdf(pagesOf('Hello'), { limits: { timeoutMs: Infinity } })).toMatchObject({ read: 1 });
  });

  it('is given as far as it could be read', async () => {
    const { text, read, problem } = await readPdf(contentsOf('BT /F 9 Tf (One) Tj ET', values), within);
    expect({ text, read }).toEqual({ text: '[page 1]\nOne', read: 1 });
    expect(problem).toBe('The PDF takes too much memory to read: the limit is 32 MiB.');
  });

  it('that is damaged, or not a PDF, is refused', async () => {
    for (const text of ['', 'nothing of the kind', '%PDF-1.7 and no more'])
      await expect(readPdf(new TextEncoder().encode(text))).rejects.toMatchObject({ code: 'EINVAL' });
  });
});

describe('a PDF that asks for much more than its size', () => {
  it.each(bombs.filter(({ stoppedBy }) => stoppedBy !== 'none'))(
    'does not get it: $name',
    async ({ bytes, stoppedBy }) => {
      await expect(readPdf(bytes(), stoppedBy === 'time' ? shortly : within)).rejects.toMatchObject({ code: 'EFBIG' });
    },
  );

  it.each(bombs.filter(({ stoppedBy }) => stoppedBy === 'none'))('ends by itself: $name', async ({ bytes }) => {
    const code = await readPdf(bytes(), within).then(
      () => 'read',
      ({ code }: { readonly code: string }) => code,
    );
    expect(['read', 'EINVAL']).toContain(code);
  });

  it('gets it where the limit is lifted, so it is the limit that holds it', async () => {
    const limits = { unpackedBytes: 2 ** 40, timeoutMs: 50_000 };
    const { bytes } = bomb('many streams of a page, each of which unpacks to little');
    expect(await readPdf(bytes(), { limits })).toEqual({ text: '', pages: 1, read: 1 });
  });

  it('ends its own process at most, if its heap is full', async () => {
    const limits = { unpackedBytes: 2 ** 40, timeoutMs: 50_000 };
    await expect(readPdf(bomb('values on the heap').bytes(), { limits })).rejects.toMatchObject({ code: 'EFBIG' });
  });
});

describe('the process of a PDF', () => {
  it('is ended by an abort, whatever it does, and those that wait do not begin', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const readings = [1, 2, 3, 4].map(() => readPdf(contentsOf(endless), { signal, limits: { timeoutMs: 50_000 } }));
    const settled = Promise.allSettled(readings);
    while (children() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect.poll(children).toBe(2); // those of tests before have ended
    controller.abort(new Error('enough'));
    for (const each of await settled) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    await expect.poll(children).toBe(0);
    await expect(readPdf(pagesOf('Hello'), { signal })).rejects.toThrow('enough');
    expect(await readPdf(pagesOf('Hello'))).toMatchObject({ text: '[page 1]\nHello' });
  });

  it('that cannot start is an error, not a wait for ever', async () => {
    const start = childProcesses(new URL('none.js', import.meta.url)) ?? refused;
    const options = { bytes: pagesOf('Hello'), limits: { pages: 1, characters: 1, unpackedBytes }, timeoutMs: 50_000 };
    expect(await readWith({ ...options, start, signal: undefined })).toMatchObject({ ending: 'absent' });
    expect(await readWith({ ...options, start: refused, signal: undefined })).toMatchObject({ ending: 'absent' });
  });

  it('does not outlive its host', async () => {
    const program = spawn(process.execPath, ['--conditions=@utensil/source', '--input-type=module', '-e', host], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 100_000,
    });
    const id = await new Promise<number>((resolve) => program.stdout.once('data', (line) => resolve(Number(line))));
    expect(isRunning(id)).toBe(true);
    program.kill('SIGKILL');
    await expect.poll(() => isRunning(id)).toBe(false);
  });
});

it('bytes at random in a PDF give a text or a Utensil error, never a hang', async () => {
  const samples = [
    pagesOf('Hello', 'World'),
    ...bombs.filter(({ stoppedBy }) => stoppedBy === 'none').map((each) => each.bytes()),
  ];
  const change = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    bytes: fc.uint8Array({ maxLength: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.array(change, { minLength: 1, maxLength: 8 }),
      async (sample, changes) => {
        const bytes = sample.slice();
        for (const { at, bytes: put } of changes)
          bytes.set(put.slice(0, bytes.length), Math.floor(at * Math.max(0, bytes.length - 9)));
        const code = await readPdf(bytes, within).then(
          () => 'read',
          ({ code }: { readonly code: string }) => code,
        );
        expect(['read', 'EINVAL', 'EFBIG']).toContain(code);
      },
    ),
    { numRuns: inject('isLong') ? 100 : 5 },
  );
});
