import { CompileFlags, EvalFlags, JSException, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi';
import type { JSValueHandle } from 'quickjs-wasi';
import { GuestFailure, longestAnswer, noSuchModule, resolveModule } from './engine.ts';
import type { Instance, InstanceHost, InstanceSize, SandboxEngine } from './engine.ts';
import { type LibraryCache, libraryCache } from './library-cache.ts';
import { boundTexts } from './wasi-texts.ts';

/** Engine of Vercel's quickjs-ng: one WebAssembly instance per script, with a reliable memory limit. */
export function wasiEngine(module: WebAssembly.Module, prelude: string): SandboxEngine {
  /**
   * Bytecode of the prelude, compiled by the first instance, because parsing dominates the creation of an instance.
   * Without the sources, which QuickJS stores per function, it loads in a third of the time.
   */
  let bytecode: Uint8Array | undefined;
  const evaluatePrelude = (vm: QuickJS): JSValueHandle =>
    vm.evalBytecode((bytecode ??= vm.compile(prelude, 'sandbox', undefined, CompileFlags.STRIP_SOURCE)));
  const libraries = libraryCache();
  return { name: 'quickjs-wasi', create: (size) => createInstance(module, size, { evaluatePrelude, libraries }) };
}

/** State shared by instances. */
interface Shared {
  readonly evaluatePrelude: (vm: QuickJS) => JSValueHandle;
  readonly libraries: LibraryCache;
}

async function createInstance(
  module: WebAssembly.Module,
  size: InstanceSize,
  { evaluatePrelude, libraries }: Shared,
): Promise<Instance> {
  let host: InstanceHost | undefined;
  /** By the identity of the promise, which is retained so that its identity is not reused. */
  const rejected = new Map<number, readonly [reason: JSValueHandle, promise: JSValueHandle]>();
  let memory: WebAssembly.Memory | undefined;
  const vm = await QuickJS.create({
    wasm: module,
    memoryLimit: size.memoryBytes,
    maxStackSize: Math.min(size.stackBytes, MAX_STACK_SIZE),
    interruptHandler: () => host?.shouldStop() === true,
    timezoneOffset: 0,
    onUnhandledRejection(promise, reason, isHandled) {
      const { identity } = promise;
      if (isHandled) rejected.delete(identity);
      else if (rejected.size < mostRejected) rejected.set(identity, [reason.dup(), promise.dup()]);
    },
    wasi: (given) => {
      memory = given;
      return { fd_write: () => badFile };
    },
    moduleLoader: { normalize: resolveModule, load: (path) => host?.moduleSource(path) ?? missing(path) },
  });
  const readText = boundTexts(vm);
  const part: Partial<Record<'receive' | 'accept', JSValueHandle>> = {};

  function call(name: 'receive' | 'accept', ...values: JSValueHandle[]): JSValueHandle {
    const callee = part[name];
    if (callee === undefined) throw new GuestFailure('The sandbox has not been started.');
    return guarded(() => vm.callFunction(callee, vm.undefined, ...values));
  }

  const make = guarded(() => evaluatePrelude(vm));

  return {
    begin(given, settings) {
      host = given;
      const say = vm.newFunction('say', (text) => {
        if (text?.isString) given.say(readText(text, given.longestText));
        return vm.undefined;
      });
      const ask = vm.newFunction('ask', (text) =>
        vm.newString(text?.isString ? given.ask(readText(text, given.longestText)) : ''),
      );
      const made = guarded(() => vm.callFunction(make, vm.undefined, say, ask, vm.newString(settings)));
      part.receive = made.getProp('receive');
      part.accept = made.getProp('accept');
    },
    send(text) {
      const message = vm.newString(text);
      const answer = call('receive', message);
      const said = (answer.isString && readText(answer, longestAnswer)) || '';
      message.dispose();
      answer.dispose();
      return said;
    },
    prepare: (files) => libraries.learn(files, ({ name, source }) => vm.compile(source, name, EvalFlags.TYPE_GLOBAL)),
    evaluate(script) {
      let value: JSValueHandle;
      let failed = vm.false;
      try {
        const bytecode = libraries.bytecodeOf(script);
        value =
          bytecode && bytecode.length < size.memoryBytes / 8
            ? vm.evalBytecode(bytecode)
            : vm.evalCode(script.source, script.name, EvalFlags.TYPE_GLOBAL);
      } catch (error) {
        if (!(error instanceof JSException)) throw error;
        value = error.handle;
        failed = vm.true;
      }
      call('accept', failed, value);
    },
    runJobs() {
      guarded(() => vm.executePendingJobs());
    },
    acceptRejections() {
      for (const [reason] of rejected.values()) call('accept', vm.true, reason);
      rejected.clear();
    },
    memoryBytes: () => memory?.buffer.byteLength ?? 0,
  };
}

/** A few rejections suffice for a diagnosis. */
const mostRejected = 20;

/** WASI errno for a closed file: the engine prints nothing. */
const badFile = 8;

/** Throwing an Error would expose its host stack to the guest; a thrown text becomes an error of the guest. */
function missing(path: string): never {
  throw noSuchModule(path);
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof JSException) throw new GuestFailure(error.message.slice(0, 200));
    throw error;
  }
}
