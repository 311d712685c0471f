import type { SandboxOptions } from '../options.ts';
import { defaultLimits } from '../sandbox.ts';
import type { Sandbox, SandboxLimits } from '../sandbox.ts';
import { boundMemory } from './bounded-memory.ts';
import { limitsOf } from './drive.ts';
import { createPool } from './pool.ts';
import { createSandbox } from './sandbox.ts';
import type { SpawnThread, Thread } from './thread.ts';

/** What the platform gives. */
export interface Platform {
  readonly spawn: SpawnThread;
  /** The engine's WebAssembly. What the host has compiled itself, nobody can bound any more. */
  wasm(): Promise<WebAssembly.Module | BufferSource>;
  readonly cores: number;
  /** Bytes of stack that QuickJS can have without an overflow of the machine's own. */
  readonly stackBytes: number;
}

const inlineStackBytes = 32 * 1024;

/** Of an engine's own, beyond what a script may allocate. */
const ownBytes = 4 * 1024 * 1024;

/** The most that runs on the caller's own thread, in milliseconds. */
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

/** The WebAssembly that the host has given, if it has. */
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
