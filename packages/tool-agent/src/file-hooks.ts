import { answerParts, isObject, toJson } from '@utensil/core';
import type { Files, Json, JsonObject, MadeAnswer, Middleware, ModelInfo, ModelRequest } from '@utensil/core';

/** Options of {@link fileHooks}. */
export interface FileHooksOptions {
  /** Names of the hooks in `/hooks/{name}.js`, in order of execution. */
  readonly names: readonly string[];
  readonly files: Pick<Files, 'readText'>;
  /**
   * Runs the code of a hook, the body of an async function with the variable `event`, and resolves to its result. The
   * code is untrusted: run it in a sandbox.
   */
  run(code: string, event: HookEvent, signal: AbortSignal): Promise<unknown>;
}

/** The model turn as a hook sees it. */
export interface HookEvent extends JsonObject {
  readonly api: string;
  readonly model: string;
  readonly system: string;
  /** The history, as `Message` objects. */
  readonly messages: Json;
  /** Names of the tools. */
  readonly tools: readonly string[];
}

/**
 * Hooks in files, as middleware: `/hooks/{name}.js` is read and run before each turn of the model. It returns nothing
 * to let the turn pass, `{ stop: true }` or `{ stop: 'text' }` to end the run, or `{ text, calls: [{ name, input }] }`
 * to answer instead of the model. A failing or missing hook fails the turn with `Hook error in "/hooks/{name}.js"`.
 *
 * @example
 * ```ts
 * import { createFiles, withMiddleware } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { fileHooks } from '@utensil/tool-agent';
 *
 * const files = createFiles(memoryStorage());
 * const hooks = fileHooks({ names: ['guard'], files, run: async () => ({ stop: 'Not today.' }) }); // no sandbox: a stand-in
 * const model = withMiddleware(scriptedModel([]), ...hooks);
 * ```
 */
export function fileHooks({ names, files, run }: FileHooksOptions): readonly Middleware[] {
  return names.map((name) => {
    const path = `/hooks/${name}.js`;
    return {
      name: path,
      async stream(request, next, { info, signal }) {
        const { text: code } = await files.readText(path);
        const reply = toReply(toJson(await run(code, eventOf(request, info), signal)));
        return reply === undefined ? next(request) : answerParts(reply);
      },
    };
  });
}

function eventOf({ system, messages, tools }: ModelRequest, { api, id }: ModelInfo): HookEvent {
  return { api, model: id, system, messages: toJson(messages), tools: tools.map(({ name }) => name) };
}

/** A hook sees the history and may be written by anyone. */
const openWorld = true;

/** The answer of a hook instead of the model; undefined if it lets the turn pass. */
function toReply(returned: Json): MadeAnswer | undefined {
  if (returned === null) return undefined;
  if (!isObject(returned)) throw notAReply();
  const { stop, text = '', calls = [] } = returned;
  if (stop !== undefined && stop !== false) return { text: typeof stop === 'string' ? stop : '', openWorld };
  if (typeof text !== 'string' || !Array.isArray(calls) || (text === '' && calls.length === 0)) throw notAReply();
  return { text, calls: calls.map(toCall), openWorld };
}

function toCall(call: Json): NonNullable<MadeAnswer['calls']>[number] {
  const { name, input = {} } = isObject(call) ? call : {};
  if (typeof name !== 'string' || name === '' || !isObject(input)) throw notAReply();
  return { name, input };
}

function notAReply(): Error {
  return new Error('It must return nothing, { stop }, or { text, calls: [{ name, input }] }.');
}
