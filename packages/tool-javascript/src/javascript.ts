import { defineTool, option, result, host } from '@utensil/core';
import type { Fetch, HostOf, JsonObject, Tool, ExplicitResult, ToolContext, ToolDefinition } from '@utensil/core';
import { announcedFiles } from './announced-files.ts';
import { javascriptInput } from './input.ts';
import type { JavaScriptInput } from './input.ts';
import { readLibraries } from './libraries.ts';
import { resultLine, showOutcome } from './output.ts';
import { promptOf } from './prompt.ts';
import { createScriptCalls } from './script-calls.ts';

interface Options {
  readonly callTools: boolean;
  readonly loadLib: boolean;
  readonly loadShareLib: boolean;
  readonly timeLimit: number;
  readonly vendorPrograms: boolean;
}

const ownName = 'javascript';

/** Time for waiting, in seconds, on top of the time for work; more if scripts can call tools and wait for approvals. */
const waitingFor = ({ callTools }: Pick<Options, 'callTools'>): number => (callTools ? 600 : 25);

const offline = 'There is no network, no require and no DOM.';
const online = `There is no require and no DOM. fetch(url, { method, headers, body, redirect }) reaches the web: its response has ok, status, url, headers.get(name), and text(), json(), bytes() and arrayBuffer(), of 10 MB at the most. A request that is not allowed throws an Error that says why.`;

const describe = (options: Options, surroundings: string): string =>
  [
    `Runs JavaScript (ES2023) in a sandbox, and returns its result and its log. The code is the body of an async function in strict mode: use return for the result, and await.
There are console, timers, TextEncoder, TextDecoder, atob, btoa, URL, structuredClone, crypto.getRandomValues, crypto.randomUUID, performance.now, and halt(message), which ends the script at once. ${surroundings} Each call starts afresh: keep data in files.
fs reads and changes the files of the project; every function is async (some hosts have readFileSync etc. too): readFile(path) gives an ArrayBuffer, readFile(path, 'utf8') a string; writeFile(path, string or buffer), exists, mkdir, readdir (names), unlink, rmdir(path, recursive), rename(from, to), stat (isFile, isDirectory, size, readonly, mtime; isBinary and mime by its name). Paths are absolute. /memories can only be read. What a script writes is kept when it succeeds, all at once; when it fails, nothing is.
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

/** Shared libraries come first, so that the project's own can build on them. */
function directoriesOf({ loadLib, loadShareLib }: Pick<Options, 'loadLib' | 'loadShareLib'>): readonly string[] {
  return [...(loadShareLib ? ['/share/lib'] : []), ...(loadLib ? ['/lib'] : [])];
}

/** A script cannot run scripts: the inner one would wait for the sandbox that the outer one occupies. */
const isOther = ({ name }: ToolDefinition): boolean => name !== ownName;

/** The vendor's own definition, if the user has chosen that programs run there. */
function ofVendor({ callTools, vendorPrograms }: Options, definition: JsonObject): JsonObject | undefined {
  return callTools && vendorPrograms ? definition : undefined;
}

type Needs = { files: typeof host.files; sandbox: typeof host.sandbox };

/** Context of both tools; `fetch` exists only for the one that requires it. */
interface Context extends Omit<ToolContext<Needs>, 'host'> {
  readonly host: HostOf<Needs> & { readonly fetch?: Fetch };
}

const outsideLibraries =
  'Nothing was run: a library below /lib or /share/lib has outside content, which was not known when this call was allowed. Call again to have it judged with that.';

async function runScript({ code }: JavaScriptInput, options: Options, context: Context): Promise<ExplicitResult> {
  const { host, signal, call, beforeEffect, tools, tainted: wasTainted } = context;
  if (typeof code !== 'string' || code === '')
    return result({ output: 'Error: code parameter is required and must be a string', isError: true });
  const { libraries, modules } = await readLibraries(host.files, ['/share/lib', '/lib']);
  if (!wasTainted && context.tainted) return result({ output: outsideLibraries, isError: true });
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
    files: announcedFiles(host.files, beforeEffect),
    readOnly: ['/memories'],
    ...(host.fetch && { fetch: host.fetch }),
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
}

/**
 * JavaScript for the model: code that runs in the host's sandbox, on the project's files. File changes are committed if
 * the script succeeds, and discarded if it fails.
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
  description: (options) => describe(options, offline),
  input: javascriptInput,
  options: {
    callTools: option.boolean({
      label: 'Call tools',
      description: 'Lets scripts call other tools, with the same permissions.',
      default: false,
    }),
    loadLib: option.boolean({
      label: 'Load /lib',
      description: 'Runs the .js files in /lib before each script.',
      default: true,
    }),
    loadShareLib: option.boolean({
      label: 'Load /share/lib',
      description: 'Runs the .js files in /share/lib before those in /lib.',
      default: true,
    }),
    timeLimit: option.number({
      label: 'Time limit',
      description: 'Run time of a script in seconds, without waiting.',
      default: 5,
      min: 1,
      max: 300,
      step: 1,
    }),
    vendorPrograms: option.boolean({
      label: "Vendor's sandbox",
      description:
        "Runs programs that call tools in the sandbox of the model's vendor, if it has one. They have no access to files.",
      default: false,
      visibleWhen: { option: 'callTools', equals: true },
    }),
  },
  ui: { subtitle: 'Runs code in a sandbox', icon: '🧮', category: 'code' },
  effects: 'destructive', // code can remove files
  replayable: true,
  requires: { files: host.files, sandbox: host.sandbox },
  timeoutMs: 0, // the sandbox enforces the limit
  outputLimit: 20_000,
  native: {
    'anthropic-messages': (options) => ofVendor(options, { type: 'code_execution_20260521', name: 'code_execution' }),
    'openai-responses': (options) => ofVendor(options, { type: 'programmatic_tool_calling' }),
  },
  prompt: ({ callTools }, { tools }) => (callTools ? promptOf(tools.filter(isOther)) : ''),
  execute: runScript,
  render: { title: 'Run JavaScript', status: (output) => resultLine(String(output)) },
});

/**
 * The same tool for apps that let scripts use the network through the host's `fetch`, which should be a guarded one. It
 * counts as access to the outside world.
 *
 * @example
 * ```ts
 * import { createRegistry } from '@utensil/core';
 * import { javascriptToolWithFetch } from '@utensil/tool-javascript';
 *
 * createRegistry([javascriptToolWithFetch]); // in the host: files, sandbox, fetch: guardedFetch()
 * ```
 */
export const javascriptToolWithFetch: Tool<
  JavaScriptInput,
  NonNullable<typeof javascriptTool.options>,
  Needs & { fetch: typeof host.fetch }
> = {
  ...javascriptTool,
  description: (options) => describe(options, online),
  openWorld: true,
  replayable: false, // data that a script sends to the web is not logged
  requires: { files: host.files, sandbox: host.sandbox, fetch: host.fetch },
};
