import type { SandboxOptions } from '../options.ts';
import { defaultLimits } from '../sandbox.ts';
import type { Sandbox, SandboxLimits } from '../sandbox.ts';
import { boundMemory } from './bounded-memory.ts';
import { limitsOf } from './drive.ts';
import { createPool } from './pool.ts';
import { createSandbox } from './sandbox.ts';
import type { SpawnThread, Thread } from './thread.ts';

/** Platform services. */
export interface Platform {
  readonly spawn: SpawnThread;
  /** The engine's WebAssembly. A module compiled by the host can no longer be bounded. */
  wasm(): Promise<WebAssembly.Module | BufferSource>;
  readonly cores: number;
  /** Stack for QuickJS that does not overflow the thread's own stack, in bytes. */
  readonly stackBytes: number;
}

const inlineStackBytes = 32 * 1024;

/** Memory that an engine needs beyond the allocations of the script. */
const ownBytes = 4 * 1024 * 1024;

/** Time limit on the caller's own thread, in milliseconds. */
const inlineMs = 250;

export function assembleSandbox({ spawn, wasm, cores, stackBytes }: Platform, options: SandboxOptions): Sandbox {
  const { engine = 'quickjs-wasi', inline = false, idleMs = 60_000, graceMs = 300 } = options;
  const { maxWorkers = Math.min(4, Math.max(1, cores - 1)), maxWaiting = 32 } = options;
  const limits: SandboxLimits = limitsOf({ ...defaultLimits, stackBytes }, options.limits);
  const { memoryBytes, stackBytes: stack } = limits;
  const size = { memoryBytes, stackBytes: inline ? Math.min(stack, inlineStackBytes) : stack };
  let compiled: Promise<WebAssembly.Module> | undefined;
  const pool = createPool({
    spawn: inline ? spawnInline : spawn,
    engine,
    wasm: () =>
      (compiled ??= compile(wasm(), memoryBytes + ownBytes).catch((error: unknown) => {
        compiled = undefined;
        throw error;
      })),
    size,
    most: inline ? 1 : maxWorkers,
    mostWaiting: maxWaiting,
    startMs: limits.wallMs,
    idleMs,
    ...(!inline && { standbyMs: 100 }),
  });
  return createSandbox({
    engine,
    isolation: inline ? 'inline' : 'worker',
    pool,
    limits,
    ceilings: { memoryBytes, ...(inline && { workMs: inlineMs, stackBytes: inlineStackBytes }) },
    graceMs,
  });
}

async function spawnInline(): Promise<Thread> {
  return (await import('./inline.ts')).inlineThread();
}

/** The WebAssembly passed by the host, if any. */
export async function readGiven(
  given: SandboxOptions['wasm'],
  read: (url: URL) => Promise<BufferSource>,
): Promise<WebAssembly.Module | BufferSource | undefined> {
  return given instanceof URL ? read(given) : given;
}

async function compile(
  source: Promise<WebAssembly.Module | BufferSource>,
  mostBytes: number,
): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  const bytes = ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
  return WebAssembly.compile(boundMemory(bytes, mostBytes));
}
