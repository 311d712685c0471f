// Starts the program that is killed, and reads its remains.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { createRecords, type Message, messagesOf, openThread, type Thread } from '@utensil/core';
import { exportThread } from '@utensil/core/thread';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { bundleProgram } from '../bundle-program.ts';
import type * as Program from './program.ts';
import type { Job, Said } from './program.ts';

/** Output of a process, and how it ended. */
export interface Played {
  readonly said: readonly Said[];
  /** It was killed at its boundary. */
  readonly wasKilled: boolean;
  /** The end in words, at most one, if it was neither at its boundary nor after its job. */
  readonly astray: readonly string[];
}

/** A folder with a thread, and a file with the effects of its calls. */
export interface Place {
  /** Begins the run in a process of its own. */
  begin(job: Pick<Job, 'answer' | 'killAt'>): Promise<Played>;
  /** Takes the run over in another process, which is killed meanwhile. */
  takeOver(job: Pick<Job, 'answer' | 'killAt'>): Promise<Played>;
  /** Resumes the run in another process. */
  goOn(job: Pick<Job, 'answer'>): Promise<readonly Said[]>;
  effects(): Promise<readonly string[]>;
  messages(): Promise<readonly Message[]>;
  /** The thread, as a report has it. */
  report(): Promise<string>;
  /** Ids of the runs that have begun in the thread. */
  runs(): Promise<readonly string[]>;
}

/** The program, ready to be started, and places for it. */
export interface Theatre extends AsyncDisposable {
  place(): Promise<Place>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** The program is put in one file, because that starts ten times as fast. */
export async function openTheatre(): Promise<Theatre> {
  const folder = await mkdtemp(join(tmpdir(), 'utensil-killed-'));
  const program = join(folder, 'program.mjs');
  const entry: keyof typeof Program = 'work';
  await bundleProgram({ module: './program.ts', entry, folder: import.meta.dirname, outfile: program });
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
  const start = (): Child => spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const second = start();
  const isOver = once(second, 'close');
  let next = start(); // it is up by the time that it is needed
  let turn: Promise<unknown> = Promise.resolve();
  let places = 0;

  async function begin(job: Job): Promise<Played> {
    const child = next;
    next = start();
    child.stdin.end(`${JSON.stringify(job)}\n`);
    child.stdout.resume();
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    const said = await readSaid(job);
    const last = said.at(-1);
    const isAt = job.killAt !== undefined && last?.type === 'boundary' && last.name === job.killAt;
    const isReached = said.some((each) => each.type === 'boundary' && each.name === job.killAt);
    const wasKilled = isAt && signal === 'SIGKILL';
    const astray = wasKilled || (code === 0 && !isReached) ? [] : [`${job.killAt}: ended with ${signal ?? code}.`];
    return { said, wasKilled, astray };
  }

  async function goOn(job: Job): Promise<readonly Said[]> {
    second.stdin.write(`${JSON.stringify(job)}\n`);
    await Promise.race([once(second.stdout, 'data'), isOver]);
    return readSaid(job);
  }

  return {
    async place() {
      const root = join(folder, `place-${++places}`);
      await mkdir(root);
      const files = { root, effects: `${root}.effects` };
      return {
        begin: (job) => begin({ ...files, ...job, said: `${root}.begun`, attempt: 1 }),
        takeOver: (job) => begin({ ...files, ...job, said: `${root}.taken-over`, attempt: 2 }),
        goOn(job) {
          const inTurn = turn.then(() => goOn({ ...files, ...job, said: `${root}.gone-on`, attempt: 3 }));
          turn = inTurn;
          return inTurn;
        },
        effects: () => linesOf(files.effects),
        messages: () => messagesOf(threadIn(root)),
        report: () => exportThread(threadIn(root)),
        async runs() {
          const { entries } = await threadIn(root).read();
          return [...new Set(entries.flatMap(({ entry }) => (entry.type === 'run-begun' ? entry.runId : [])))];
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const child of [second, next]) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function threadIn(root: string): Thread {
  return openThread(createRecords(filesystemStorage(root)), 'killed');
}

async function linesOf(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
}

async function readSaid({ said }: Job): Promise<readonly Said[]> {
  return (await linesOf(said)).map((line) => JSON.parse(line) as Said);
}
