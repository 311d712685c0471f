import type { SandboxOptions } from '../options.ts';
import { defaultLimits } from '../sandbox.ts';
import type { Sandbox, SandboxLimits } from '../sandbox.ts';
import { limitsOf } from './drive.ts';
import { createPool } from './pool.ts';
import { createSandbox } from './sandbox.ts';
import type { SpawnThread, Thread } from './thread.ts';

/** What the platform gives. */
export interface Platform {
  readonly spawn: SpawnThread;
  wasm(): Promise<WebAssembly.Module>;
  readonly cores: number;
  /** Bytes of stack that QuickJS can have without an overflow of the machine's own. */
  readonly stackBytes: number;
}

const inlineStackBytes = 32 * 1024;

/** The most that runs on the caller's own thread, in milliseconds. */
const inlineMs = 250;

export function assembleSandbox({ spawn, wasm, cores, stackBytes }: Platform, options: SandboxOptions): Sandbox {
  const { engine = 'quickjs-wasi', inline = false, idleMs = 60_000, graceMs = 300 } = options;
  const { maxWorkers = Math.min(4, Math.max(1, cores - 1)) } = options;
  const limits: SandboxLimits = limitsOf({ ...defaultLimits, stackBytes }, options.limits);
  const { memoryBytes, stackBytes: stack } = limits;
  const size = { memoryBytes, stackBytes: inline ? Math.min(stack, inlineStackBytes) : stack };
  let compiled: Promise<WebAssembly.Module> | undefined;
  const pool = createPool({
    spawn: inline ? spawnInline : spawn,
    engine,
    wasm: () =>
      (compiled ??= wasm().catch((error: unknown) => {
        compiled = undefined;
        throw error;
      })),
    size,
    most: inline ? 1 : maxWorkers,
    idleMs,
    standby: !inline,
  });
  return createSandbox({
    engine,
    isolation: inline ? 'inline' : 'worker',
    pool,
    limits,
    ceilings: inline ? { workMs: inlineMs, stackBytes: inlineStackBytes } : {},
    graceMs,
  });
}

async function spawnInline(): Promise<Thread> {
  return (await import('./inline.ts')).inlineThread();
}

/** The module that the host has given, if it has. */
export async function compileGiven(
  given: SandboxOptions['wasm'],
  read: (url: URL) => Promise<BufferSource>,
): Promise<WebAssembly.Module | undefined> {
  if (given === undefined || given instanceof WebAssembly.Module) return given;
  return WebAssembly.compile(given instanceof URL ? await read(given) : given);
}
