import release from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type {
  EmscriptenModuleLoader,
  QuickJSContext,
  QuickJSEmscriptenModule,
  QuickJSHandle,
  QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { GuestFailure, longestAnswer, noSuchModule, resolveModule } from './engine.ts';
import type { Instance, InstanceHost, InstanceSize, SandboxEngine } from './engine.ts';

/** The types describe the CommonJS build, whose default export is nested one level deeper. */
const variant = release as unknown as QuickJSSyncVariant;

const pageBytes = 65_536;
/** Initial memory that the binary requires, in pages. */
const initialPages = 256;

/**
 * Engine of quickjs-emscripten: Fabrice Bellard's QuickJS. Its own memory limit is unreliable, so each instance gets a
 * `WebAssembly.Memory` that cannot grow beyond the limit.
 */
export function emscriptenEngine(module: WebAssembly.Module, prelude: string): SandboxEngine {
  return { name: 'quickjs-emscripten', create: (size) => createInstance(module, size, prelude) };
}

async function createInstance(module: WebAssembly.Module, size: InstanceSize, prelude: string): Promise<Instance> {
  let host: InstanceHost | undefined;
  const maximum = Math.max(initialPages, Math.floor(size.memoryBytes / pageBytes));
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum });
  const quickjs = await newQuickJSWASMModuleFromVariant(variantOf(module, memory));
  const context = quickjs.newContext();
  const { runtime } = context;
  runtime.setMaxStackSize(size.stackBytes);
  runtime.setInterruptHandler(() => host?.shouldStop() === true);
  runtime.setModuleLoader(
    (path) => host?.moduleSource(path) ?? { error: new Error(noSuchModule(path)) },
    (base, specifier) => resolveModule(base, specifier),
  );
  const part: Partial<Record<'receive' | 'accept', QuickJSHandle>> = {};

  function call(name: 'receive' | 'accept', ...values: QuickJSHandle[]): QuickJSHandle {
    const callee = part[name];
    if (callee === undefined) throw new GuestFailure('The sandbox has not been started.');
    return valueOf(context, context.callFunction(callee, context.undefined, ...values));
  }

  const make = valueOf(context, context.evalCode(prelude, 'sandbox'));

  return {
    begin(given, settings) {
      host = given;
      const say = context.newFunction('say', (text) => {
        if (isText(context, text)) given.say(readText(context, text, given.longestText));
      });
      const ask = context.newFunction('ask', (text) =>
        context.newString(isText(context, text) ? given.ask(readText(context, text, given.longestText)) : ''),
      );
      const called = context.callFunction(make, context.undefined, say, ask, context.newString(settings));
      const made = valueOf(context, called);
      part.receive = context.getProp(made, 'receive');
      part.accept = context.getProp(made, 'accept');
    },
    send(text) {
      const message = context.newString(text);
      const answer = call('receive', message);
      const said = (isText(context, answer) && readText(context, answer, longestAnswer)) || '';
      message.dispose();
      answer.dispose();
      return said;
    },
    prepare: () => undefined, // this engine cannot export bytecode
    evaluate({ name, source }) {
      const made = context.evalCode(source, name, { type: 'global' });
      if (made.error === undefined) call('accept', context.false, made.value);
      else call('accept', context.true, made.error);
    },
    runJobs() {
      for (;;) {
        const done = runtime.executePendingJobs(jobsAtOnce);
        if (done.error !== undefined) throw new GuestFailure('A job failed.');
        if (done.value < jobsAtOnce || host?.shouldStop() === true) return;
      }
    },
    acceptRejections: () => undefined, // this engine does not report rejections
    memoryBytes: () => memory.buffer.byteLength,
  };
}

/** Loads the release with a compiled module and a memory. The library's `newVariant` would also locate files and map sources. */
function variantOf(module: WebAssembly.Module, wasmMemory: WebAssembly.Memory): QuickJSSyncVariant {
  return {
    ...variant,
    async importModuleLoader() {
      const load = (await variant.importModuleLoader()) as EmscriptenModuleLoader<QuickJSEmscriptenModule>;
      return () =>
        load({
          wasmMemory,
          async instantiateWasm(imports, onSuccess) {
            const instance = await WebAssembly.instantiate(module, imports);
            onSuccess(instance);
            return instance.exports;
          },
        });
    },
  };
}

/** After an interrupted job the engine would start the next one, so the deadline is checked between batches. */
const jobsAtOnce = 100;

function isText(context: QuickJSContext, handle: QuickJSHandle | undefined): handle is QuickJSHandle {
  return handle !== undefined && context.typeof(handle) === 'string';
}

function valueOf(
  context: QuickJSContext,
  { value, error }: { readonly value?: QuickJSHandle; readonly error?: QuickJSHandle | undefined },
): QuickJSHandle {
  if (value !== undefined) return value;
  const message = error === undefined ? undefined : context.getProp(error, 'message');
  const said = isText(context, message) && readText(context, message, 200);
  throw new GuestFailure(said || 'The code failed.');
}

/** Reads a guest string; undefined if it has more than `most` characters, in which case nothing is copied. */
function readText(context: QuickJSContext, text: QuickJSHandle, most: number): string | undefined {
  const length = context.getProp(text, 'length'); // `getLength` reads a stale memory view after the instance has grown
  const isShort = context.getNumber(length) <= most;
  length.dispose();
  return isShort ? context.getString(text) : undefined;
}
