import type { SourceFile } from './engine.ts';

/** Caches the bytecode of libraries that most scripts of a host share. Loading it takes a fifth of the compile time. */
export interface LibraryCache {
  /**
   * Compiles libraries seen before. Call it before anything has run in the instance that could influence the result.
   */
  learn(libraries: readonly SourceFile[], compile: Compile): void;
  /** Bytecode of a library; undefined if it must be compiled: it is new, too long, or not a script. */
  bytecodeOf(library: SourceFile): Uint8Array | undefined;
}

type Compile = (library: SourceFile) => Uint8Array;

/** Maximum characters of a cached library, and bytes of its bytecode. */
const longest = 500_000;

/** Maximum characters and bytes of the whole cache. */
const mostKept = 4_000_000;

/** Creates the cache of one worker, which evicts the oldest entries. */
export function libraryCache(): LibraryCache {
  const known = new Map<string, Uint8Array | 'seen' | 'never'>();
  let kept = 0;

  function learnOne(library: SourceFile, compile: Compile): void {
    const key = keyOf(library);
    const before = known.get(key);
    if (before === undefined && key.length <= longest) keep(key, 'seen');
    else if (before === 'seen') keep(key, compiled(library, compile));
  }

  function keep(key: string, value: Uint8Array | 'seen' | 'never'): void {
    forget(key);
    known.set(key, value);
    kept += key.length + value.length;
    for (const oldest of known.keys()) {
      if (kept <= mostKept) return;
      forget(oldest);
    }
  }

  function forget(key: string): void {
    const value = known.get(key);
    if (value !== undefined) kept -= key.length + value.length;
    known.delete(key);
  }

  return {
    learn(libraries, compile) {
      for (const library of libraries) learnOne(library, compile);
    },
    bytecodeOf(library) {
      const value = known.get(keyOf(library));
      return typeof value === 'string' ? undefined : value;
    },
  };
}

/** Unique key of a library. */
function keyOf({ name, source }: SourceFile): string {
  return `${name.length}:${name}${source}`;
}

/** Compiles a library. One that is not a script stays uncompiled, so that its evaluation reports the error. */
function compiled(library: SourceFile, compile: Compile): Uint8Array | 'never' {
  try {
    const bytecode = compile(library);
    return bytecode.length > longest ? 'never' : bytecode;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error; // the instance is broken
    return 'never';
  }
}
