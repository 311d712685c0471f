import { defineTool, files, option, result, sandbox } from '@utensil/core';
import type { ToolDefinition } from '@utensil/core';
import { javascriptInput } from './input.ts';
import { readLibraries } from './libraries.ts';
import { showOutcome } from './output.ts';
import { promptOf } from './prompt.ts';
import { createScriptCalls } from './script-calls.ts';

interface Options {
  readonly callTools: boolean;
  readonly loadLib: boolean;
  readonly loadShareLib: boolean;
  readonly timeLimit: number;
}

const ownName = 'javascript';

/** Seconds that a script has with all its waiting, beyond those that it may work: for tools, and who is asked about them, more. */
const waitingFor = ({ callTools }: Pick<Options, 'callTools'>): number => (callTools ? 600 : 25);

const describeTool = (options: Options): string =>
  [
    `Runs JavaScript (ES2023) in a sandbox, and gives what it returns and what it logs. The code is the body of an async function in strict mode: use return for the result, and await.
There are console, timers, TextEncoder, TextDecoder, atob, btoa, URL, structuredClone, crypto.getRandomValues, crypto.randomUUID, performance.now, and halt(message), which ends the script at once. There is no network, no require and no DOM. Each call starts afresh: keep data in files.
fs reads and changes the files of the project; every function is async: readFile(path) gives an ArrayBuffer, readFile(path, 'utf8') a string; writeFile(path, string or buffer), exists, mkdir, readdir (names), unlink, rmdir(path, recursive), rename(from, to), stat (isFile, isDirectory, size, readonly, mtime, isBinary, mime). Paths are absolute. /memories can only be read. What a script writes is kept when it succeeds, all at once; when it fails, nothing is.
Files below /lib can be imported: import x from '/lib/x.js', before all other code.`,
    ...libraryText(options),
    ...(options.callTools
      ? ['tools calls the other tools: await tools.name(input) gives the output of that tool.']
      : []),
    `A script has ${options.timeLimit} seconds of work, and ${options.timeLimit + waitingFor(options)} with waiting.`,
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

/** A script calls no scripts: each would wait for the sandbox that the one before holds. */
const isOther = ({ name }: ToolDefinition): boolean => name !== ownName;

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
  name: ownName,
  title: 'JavaScript',
  description: describeTool,
  input: javascriptInput,
  options: {
    callTools: option.boolean({
      label: 'Call tools',
      description: 'Lets scripts call the other tools, under the same permissions.',
      default: false,
    }),
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
  prompt: ({ callTools }, { tools }) => (callTools ? promptOf(tools.filter(isOther)) : ''),
  async execute({ code }, options, { host, signal, call, tools }) {
    if (typeof code !== 'string' || code === '')
      return result({ output: 'Error: code parameter is required and must be a string', isError: true });
    const { libraries, modules } = await readLibraries(host.files, ['/share/lib', '/lib']);
    const directories = directoriesOf(options);
    const { timeLimit, callTools } = options;
    const calls = createScriptCalls(callTools ? (await tools()).filter(isOther) : [], call);
    const outcome = await host.sandbox.run({
      code,
      libraries: [
        ...calls.libraries,
        ...libraries.filter(({ name }) => directories.some((directory) => name.startsWith(`${directory}/`))),
      ],
      modules,
      files: host.files,
      readOnly: ['/memories'],
      ...(callTools && { hostFunctions: calls.hostFunctions }),
      limits: { workMs: timeLimit * 1000, wallMs: (timeLimit + waitingFor(options)) * 1000 },
      signal,
    });
    await calls.end();
    const control = calls.control();
    return result({
      output: showOutcome(outcome),
      isError: outcome.status !== 'done',
      ...(control !== undefined && { control }),
    });
  },
  render: { title: 'Run JavaScript', status: (output) => String(output).split('\n').at(-1) ?? '' },
});
