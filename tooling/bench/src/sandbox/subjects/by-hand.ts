import { getQuickJS, shouldInterruptAfterDeadline } from 'quickjs-emscripten';
import type { QuickJSContext } from 'quickjs-emscripten';
import { joined, limits, type HostFunctions, type OpenSubject } from '../subject.ts';

/** `quickjs-emscripten` as in its README: a runtime and a context per run, with its limits, on the caller's thread. */
export const byHand: OpenSubject = async (host) => {
  const quickjs = await getQuickJS();
  return {
    async run(task) {
      const runtime = quickjs.newRuntime();
      runtime.setMemoryLimit(limits.memoryBytes);
      runtime.setMaxStackSize(256 * 1024);
      runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + limits.workMs));
      const context = runtime.newContext();
      try {
        offer(context, host);
        const code = `(async () => {\n${joined(task)}\n})().then((value) => JSON.stringify(value))`;
        const promise = context.unwrapResult(context.evalCode(code));
        const settled = context.resolvePromise(promise);
        promise.dispose();
        runtime.executePendingJobs();
        const value = context.unwrapResult(await settled);
        const text = context.getString(value);
        value.dispose();
        return JSON.parse(text) as unknown;
      } finally {
        context.dispose();
        runtime.dispose();
      }
    },
    close: () => undefined,
  };
};

function offer(context: QuickJSContext, { add, give }: HostFunctions): void {
  const functions = {
    add: context.newFunction('add', (n) => context.newNumber(add(context.getNumber(n)))),
    giveText: context.newFunction('giveText', () => context.newString(JSON.stringify(give()))),
  };
  const host = context.newObject();
  for (const [name, value] of Object.entries(functions)) {
    context.setProp(host, name, value);
    value.dispose();
  }
  context.setProp(context.global, 'host', host);
  host.dispose();
  context.unwrapResult(context.evalCode('host.give = () => JSON.parse(host.giveText())')).dispose();
}
