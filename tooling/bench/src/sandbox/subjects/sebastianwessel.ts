import { loadQuickJs } from '@sebastianwessel/quickjs';
import { RELEASE_SYNC } from 'quickjs-emscripten';
import { joined, limits, type OpenSubject } from '../subject.ts';

/** `@sebastianwessel/quickjs` with the engine of quickjs-emscripten, on the caller's thread. */
export const sebastianwessel: OpenSubject = async ({ add, give }) => {
  const { runSandboxed } = await loadQuickJs(RELEASE_SYNC);
  const env = { add, giveText: () => JSON.stringify(give()) };
  const options = { env, memoryLimit: limits.memoryBytes, maxStackSize: 256 * 1024, executionTimeout: limits.workMs };
  return {
    async run(task) {
      const code = `const host = { add: env.add, give: () => JSON.parse(env.giveText()) };
export default JSON.stringify(await (async () => {\n${joined(task)}\n})());`;
      const result = await runSandboxed(async ({ evalCode }) => evalCode(code), options);
      if (!result.ok) throw new Error(`${result.error.name}: ${result.error.message}`);
      return JSON.parse(String(result.data)) as unknown;
    },
    close: () => undefined,
  };
};
