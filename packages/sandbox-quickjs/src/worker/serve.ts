import type { EngineName, Instance, InstanceSize, SandboxEngine } from '../engine/engine.ts';
import { preludeText } from '../guest/prelude-text.ts';
import type { HostAnswer } from '../guest/run.ts';
import { awaitAnswer } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createRunner } from './runner.ts';
import type { Runner, RunnerReports } from './runner.ts';

/** An idle instance, ready for its script. */
interface Spare {
  readonly size: InstanceSize;
  readonly instance: Promise<Instance>;
}

/** Answers the messages of a host, one run after another. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => Promise<void> {
  let engine: SandboxEngine | undefined;
  let runner: Runner | undefined;
  let spare: Spare | undefined;
  let last: InstanceSize | undefined;
  let mailbox: Mailbox | undefined;

  /** Prepares the next instance with the size limits of the last. */
  function prepare(size: InstanceSize): Promise<unknown> {
    const instance = engine?.create(size) ?? Promise.reject(new Error('There is no engine.'));
    spare = { size, instance };
    return instance.catch(() => undefined); // reported by the run that takes it
  }

  function take({ memoryBytes, stackBytes }: InstanceSize): Promise<Instance> {
    const isFit = spare?.size.memoryBytes === memoryBytes && spare.size.stackBytes === stackBytes;
    if (!isFit) void prepare({ memoryBytes, stackBytes });
    const taken = spare?.instance ?? Promise.reject(new Error('There is no instance.'));
    spare = undefined;
    return taken;
  }

  async function handle(message: ToWorker): Promise<void> {
    if (message.type === 'load') {
      ({ mailbox } = message);
      engine = await loadEngine(message.engine, message.wasm);
      await prepare(message.size);
      post({ type: 'ready' });
    } else if (message.type === 'start' && engine !== undefined) {
      const { job } = message;
      last = job.limits;
      runner = createRunner(take(job.limits), job, {
        print: (line) => post({ type: 'console', line }),
        running: () => post({ type: 'running' }),
        ...(mailbox && { wait: waiter(mailbox) }),
      });
      answer(await runner.start());
    } else if (message.type === 'resume' && runner !== undefined) answer(runner.resume(message.answers));
    else post({ type: 'broken', text: `The worker cannot ${message.type} now.` });
  }

  /** Reports a blocking call to the host and returns its answer. */
  function waiter(mailbox: Mailbox): NonNullable<RunnerReports['wait']> {
    const askMore = (): void => post({ type: 'wait-on' });
    return (waiting) =>
      JSON.parse(awaitAnswer(mailbox, () => post({ type: 'wait', ...waiting }), askMore)) as HostAnswer;
  }

  function answer(slice: Awaited<ReturnType<Runner['start']>>): void {
    post({ type: 'slice', slice });
    if (slice.type === 'pause') return;
    runner = undefined; // and its instance, which cannot be reused
    if (slice.ending.isClean && last !== undefined) void prepare(last);
  }

  return async (message) => {
    try {
      await handle(message);
    } catch (error) {
      post({ type: 'broken', text: error instanceof Error ? error.message : 'unknown' });
    }
  };
}

/** Loads the engine from its compiled WebAssembly. */
async function loadEngine(name: EngineName, wasm: WebAssembly.Module): Promise<SandboxEngine> {
  if (name === 'quickjs-wasi') return (await import('../engine/wasi.ts')).wasiEngine(wasm, preludeText);
  return (await import('../engine/emscripten.ts')).emscriptenEngine(wasm, preludeText);
}
