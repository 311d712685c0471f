import { defineTool, files, option, result } from '@utensil/core';
import { javascriptInput } from './input.ts';
import { readLibraries } from './libraries.ts';
import { showOutcome } from './output.ts';
import { sandbox } from './sandbox.ts';

interface Options {
  readonly loadLib: boolean;
  readonly loadShareLib: boolean;
  readonly timeLimit: number;
}

/** Seconds that a script has with all its waiting, beyond those that it may work. */
const waiting = 25;

const describeTool = (options: Options): string =>
  [
    `Runs JavaScript (ES2023) in a sandbox, and gives what it returns and what it logs. The code is the body of an async function in strict mode: use return for the result, and await.
There are console, timers, TextEncoder, TextDecoder, atob, btoa, URL, structuredClone, crypto.getRandomValues, crypto.randomUUID, performance.now, and halt(message), which ends the script at once. There is no network, no require and no DOM. Each call starts afresh: keep data in files.
fs reads and changes the files of the project; every function is async: readFile(path) gives an ArrayBuffer, readFile(path, 'utf8') a string; writeFile(path, string or buffer), exists, mkdir, readdir (names), unlink, rmdir(path, recursive), rename(from, to), stat (isFile, isDirectory, size, readonly, mtime, isBinary, mime). Paths are absolute. /memories can only be read. What a script writes is kept when it succeeds, all at once; when it fails, nothing is.
Files below /lib can be imported: import x from '/lib/x.js', before all other code.`,
    ...libraryText(options),
    `A script has ${options.timeLimit} seconds of work, and ${options.timeLimit + waiting} with waiting.`,
  ].join('\n');

function libraryText(options: Options): readonly string[] {
  const directories = directoriesOf(options);
  return directories.length === 0
    ? []
    : [`All .js files directly in ${directories.join(' and ')} are run before, in the global scope.`];
}

/** The shared libraries come first, so that the project's own can build on them. */
function directoriesOf({ loadLib, loadShareLib }: Pick<Options, 'loadLib' | 'loadShareLib'>): readonly string[] {
  return [...(loadShareLib ? ['/share/lib'] : []), ...(loadLib ? ['/lib'] : [])];
}

/**
 * JavaScript for the model: code that runs in the host's sandbox, on the project's files. What a script writes is kept when
 * it succeeds, and thrown away when it does not.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { javascriptTool } from '@utensil/tool-javascript';
 *
 * const sandbox = quickjsSandbox();
 * const host = { files: createFiles(memoryStorage()), sandbox };
 * const { output } = await runTool(javascriptTool, { code: 'return [3, 1, 2].sort().join()' }, { host });
 * console.log(output); // 1,2,3
 * sandbox.close();
 * ```
 */
export const javascriptTool = /* @__PURE__ */ defineTool({
  name: 'javascript',
  title: 'JavaScript',
  description: describeTool,
  input: javascriptInput,
  options: {
    loadLib: option.boolean({
      label: 'Load /lib',
      description: 'Runs the .js files of /lib before each script.',
      default: true,
    }),
    loadShareLib: option.boolean({
      label: 'Load /share/lib',
      description: 'Runs the .js files of /share/lib before those of /lib.',
      default: true,
    }),
    timeLimit: option.number({
      label: 'Time limit',
      description: 'Seconds that a script may work; what it waits for does not count.',
      default: 5,
      min: 1,
      max: 300,
      step: 1,
    }),
  },
  ui: { subtitle: 'Runs code in a sandbox', icon: '🧮', category: 'code' },
  effects: 'destructive', // code can remove files
  requires: { files, sandbox },
  timeoutMs: 0, // the sandbox ends it
  outputLimit: 20_000,
  async execute({ code }, { loadLib, loadShareLib, timeLimit }, { host, signal }) {
    if (typeof code !== 'string' || code === '')
      return result({ output: 'Error: code parameter is required and must be a string', isError: true });
    const { libraries, modules } = await readLibraries(host.files, ['/share/lib', '/lib']);
    const directories = directoriesOf({ loadLib, loadShareLib });
    const outcome = await host.sandbox.run({
      code,
      libraries: libraries.filter(({ name }) => directories.some((directory) => name.startsWith(`${directory}/`))),
      modules,
      files: host.files,
      readOnly: ['/memories'],
      limits: { workMs: timeLimit * 1000, wallMs: (timeLimit + waiting) * 1000 },
      signal,
    });
    return result({ output: showOutcome(outcome), isError: outcome.status !== 'done' });
  },
  render: { title: 'Run JavaScript', status: (output) => String(output).split('\n').at(-1) ?? '' },
});
