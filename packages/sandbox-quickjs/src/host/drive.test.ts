import { afterEach, expect, it, vi } from 'vitest';
import { defaultLimits } from '../sandbox.ts';
import type { FromWorker, Job } from '../worker/protocol.ts';
import { drive } from './drive.ts';
import type { ThreadListener } from './thread.ts';

const limits = { ...defaultLimits, workMs: 1_000 };
const job: Job = { code: '', libraries: [], modules: {}, withFiles: false, withFetch: false, functions: [], limits };
const stats = { workMs: 5_000, memoryBytes: 0, consoleDropped: 0 };

afterEach(() => vi.restoreAllMocks());

it('sets no timer to a time before now, of which Node.js would warn, for a script that took too long', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const answers: Readonly<Record<string, FromWorker>> = {
    start: { type: 'slice', slice: { type: 'pause', calls: [], wakeIn: 0, stats } },
    resume: { type: 'slice', slice: { type: 'end', ending: { status: 'done', text: '1', isClean: true }, stats } },
  };
  let listener: ThreadListener | undefined;
  const thread = {
    post: ({ type }: { readonly type: string }) => {
      const answer = answers[type];
      if (answer !== undefined) queueMicrotask(() => listener?.message(answer));
    },
    listen: (next: ThreadListener) => void (listener = next),
    hold: () => undefined,
    terminate: () => undefined,
  };
  const signal = new AbortController().signal;
  const { result } = await drive({
    thread,
    job,
    functions: {},
    signal,
    startedMs: 0,
    waits: () => undefined,
    graceMs: 300,
  });
  expect(result.status).toBe('done');
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([limits.wallMs, 0, 0]);
});
