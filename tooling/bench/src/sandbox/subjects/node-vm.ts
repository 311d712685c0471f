import { createContext, runInContext } from 'node:vm';
import { joined, limits, type OpenSubject } from '../subject.ts';

/** Node's `vm`, which isolates nothing: the lower bound, without a sandbox. A context per run. */
export const nodeVm: OpenSubject = (host) => ({
  async run(task) {
    const context = createContext({ host });
    const code = `(async () => {\n${joined(task)}\n})().then((value) => JSON.stringify(value))`;
    const text = (await runInContext(code, context, { timeout: limits.workMs })) as string;
    return JSON.parse(text) as unknown;
  },
  close: () => undefined,
});
