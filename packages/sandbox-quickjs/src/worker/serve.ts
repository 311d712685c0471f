import type { EngineName, SandboxEngine } from '../engine/engine.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createRunner } from './runner.ts';
import type { Runner } from './runner.ts';

/** Answers the messages of a host, one run after the other. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => Promise<void> {
  let engine: SandboxEngine | undefined;
  let runner: Runner | undefined;

  async function handle(message: ToWorker): Promise<void> {
    if (message.type === 'load') {
      engine = await loadEngine(message.engine, message.wasm);
      post({ type: 'ready' });
    } else if (message.type === 'start' && engine !== undefined) {
      runner = createRunner(engine, message.job, {
        print: (line) => post({ type: 'console', line }),
        running: () => post({ type: 'running' }),
      });
      answer(await runner.start());
    } else if (message.type === 'resume' && runner !== undefined) answer(runner.resume(message.answers));
    else post({ type: 'broken', text: `The worker cannot ${message.type} now.` });
  }

  function answer(slice: Awaited<ReturnType<Runner['start']>>): void {
    if (slice.type === 'end') runner = undefined; // and with it the instance, which nobody uses again
    post({ type: 'slice', slice });
  }

  return async (message) => {
    try {
      await handle(message);
    } catch (error) {
      post({ type: 'broken', text: error instanceof Error ? error.message : 'unknown' });
    }
  };
}

/** The engine over its compiled WebAssembly. */
async function loadEngine(name: EngineName, wasm: WebAssembly.Module): Promise<SandboxEngine> {
  if (name === 'quickjs-wasi') return (await import('../engine/wasi.ts')).wasiEngine(wasm);
  return (await import('../engine/emscripten.ts')).emscriptenEngine(wasm);
}
