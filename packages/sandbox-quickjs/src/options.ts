import type { EngineName } from './engine/engine.ts';
import type { SandboxLimits } from './sandbox.ts';

/** What every sandbox may be told, in browsers and in Node.js. */
export interface SandboxOptions {
  /** Default `quickjs-wasi`. */
  readonly engine?: EngineName;
  /** The engine's WebAssembly, for hosts that have put everything into one file. Default: the file that comes with it. */
  readonly wasm?: WebAssembly.Module | Uint8Array<ArrayBuffer> | URL;
  /** What a script may use up, unless it says otherwise itself. */
  readonly limits?: Partial<SandboxLimits>;
  /**
   * Runs the code on the caller's own thread, where no worker can be had. It is held up meanwhile, and though a script has
   * 250 ms there and no more, there is nothing that would end those few operations which QuickJS does not end itself.
   */
  readonly inline?: boolean;
  /** Scripts that run at the same time; those after them wait. Default 4, or one less than the machine has cores. */
  readonly maxWorkers?: number;
  /**
   * Scripts beyond those, while as many wait for functions of the host: what they have called may run scripts too. Where no
   * more may wait and none is at work, the next one is refused at once. Default 32.
   */
  readonly maxWaiting?: number;
  /** Milliseconds that a worker is kept ready for the next script. Default 60,000. */
  readonly idleMs?: number;
  /** Milliseconds that QuickJS has to end a script itself before its worker is ended. Default 300. */
  readonly graceMs?: number;
}
