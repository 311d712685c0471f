import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import type { EngineName } from '@utensil/sandbox-quickjs/node';
import { limits, type OpenSubject } from '../subject.ts';

/** Our sandbox with one of its engines: in a worker, with all its limits. */
export function utensil(engine: EngineName): OpenSubject {
  return ({ add, give }) => {
    const size = { hostCharacters: 256 * 1024 * 1024, resultCharacters: 16 * 1024 * 1024 };
    const sandbox = quickjsSandbox({ engine, limits: { ...limits, ...size } });
    const hostFunctions = { 'host.add': (n: unknown) => add(Number(n)), 'host.give': give };
    return {
      async run({ code, libraries = [] }) {
        const named = libraries.map((library, index) => ({ name: `/lib/${index}.js`, code: library }));
        const asJson = `return JSON.stringify(await (async () => {\n${code}\n})())`;
        const { status, text } = await sandbox.run({ code: asJson, libraries: named, hostFunctions });
        if (status !== 'done') throw new Error(`${status}: ${text}`);
        return JSON.parse(text) as unknown;
      },
      close: () => sandbox.close(),
    };
  };
}
