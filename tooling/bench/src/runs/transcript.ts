import {
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  resolveToolset,
  result,
  run,
  noUsage,
} from '@utensil/core';
import type { Json, JsonObject, Message, Model, ModelPart, ModelRequest, Part, RunOptions, Tool } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { indices } from '../run-loop/work.ts';
import { assertDone } from './measurement.ts';
import type { Measure } from './measurement.ts';

/** Work of a step: reads or edits a file. */
export interface Action {
  readonly tool: 'read_file' | 'edit_file';
  readonly path: string;
}

const files = indices(8).map((index) => `src/part-${index}.ts`);
const steps = 30;
/** End of the first run, after which a tool is disabled. */
const toggledAt = 20;

/**
 * Thirty steps of work on files: twenty reads and ten edits. Two fifths of the reads are of an unchanged file that was
 * read before, the others of a new or edited one.
 */
export function actions(): readonly Action[] {
  const isRead = new Map<string, boolean>();
  let reads = 0;
  let edits = 0;
  return indices(steps).map((step) => {
    if (step % 3 === 2) {
      const path = files[(edits++ * 3) % files.length] as string;
      isRead.set(path, false);
      return { tool: 'edit_file', path };
    }
    const again = files.filter((path) => isRead.get(path) === true);
    const fresh = files.filter((path) => isRead.get(path) !== true);
    const wantsAgain = (reads + 1) % 5 === 3 || (reads + 1) % 5 === 0;
    const from = wantsAgain ? again : fresh;
    const path = from[reads++ % from.length] as string;
    isRead.set(path, true);
    return { tool: 'read_file', path };
  });
}

/** A request as text in the order that vendors cache: the common prefix of requests can be served from the cache. */
function wireText({ tools, system, messages }: Pick<ModelRequest, 'tools' | 'system' | 'messages'>): string {
  return [JSON.stringify({ tools, system }), ...messages.map(messageText)].join('\n');
}

function messageText({ role, parts }: Message): string {
  return JSON.stringify({ role, parts: parts.map(wirePart) });
}

function wirePart(part: Part): Json {
  switch (part.type) {
    case 'tool-call':
      return { type: part.type, callId: part.callId, name: part.name, input: part.input };
    case 'tool-result':
      return { type: part.type, callId: part.callId, isError: part.isError, parts: part.modelParts.map(wirePart) };
    case 'text':
      return { type: part.type, text: part.text };
    default:
      return { type: part.type };
  }
}

/** Length of the common prefix of two texts. */
export function commonStart(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return place;
}

/** A request, and whether a compaction or a disabled tool had to change its beginning. */
interface Asked {
  readonly text: string;
  readonly leftOut: string | undefined;
  readonly tools: string;
}

type Repeats = NonNullable<RunOptions['repeatedContent']>;

/** The same work with each `repeatedContent` setting, for a model with a window of this many tokens. */
export function transcript(repeatedContent: Repeats, contextWindow: number): Measure {
  return async () => {
    const asked = await play(repeatedContent, contextWindow);
    assertDone('requests', asked.length, steps + 2);
    const pairs = asked.slice(1).map((request, index) => ({ request, before: asked[index] as Asked }));
    const undisturbed = pairs.filter(
      ({ request, before }) => request.leftOut === before.leftOut && request.tools === before.tools,
    );
    const all = asked.reduce((sum, { text }) => sum + text.length, 0);
    const stable = pairs.reduce((sum, { request, before }) => sum + commonStart(before.text, request.text), 0);
    return {
      'tokens sent': tokens(all),
      'tokens of the last request': tokens(asked.at(-1)?.text.length ?? NaN),
      'tokens that no cache has': tokens(all - stable),
      'stable % of beginnings': share(pairs),
      'the same, without compaction and toggle': share(undisturbed),
      compactions: pairs.filter(({ request, before }) => request.leftOut !== before.leftOut).length,
      toggles: pairs.filter(({ request, before }) => request.tools !== before.tools).length,
    };
  };
}

/** Share of a request's text that the next request begins with. */
function share(pairs: readonly { readonly request: Asked; readonly before: Asked }[]): number {
  const sent = pairs.reduce((sum, { before }) => sum + before.text.length, 0);
  return (100 * pairs.reduce((sum, { request, before }) => sum + commonStart(before.text, request.text), 0)) / sent;
}

const tokens = (characters: number): number => Math.round(characters / 4);

async function play(repeatedContent: Repeats, contextWindow: number): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const todo = actions();
  const thread = openThread(createRecords(memoryStorage()), 'transcript');
  const tools = [...fileTools(), notes];
  let step = 0;
  for (const end of [toggledAt, steps]) {
    const model = editor({ asked, contextWindow }, () => (step < end ? todo[step++] : undefined));
    const registry = createRegistry(end === steps ? tools.filter((tool) => tool !== notes) : tools);
    const toolset = resolveToolset(registry, emptySettings, {});
    const messages = end === steps ? 'Now the rest.' : 'Rename the fields of all parts.';
    const { status, error } = await run({
      model,
      toolset,
      thread,
      messages,
      repeatedContent,
      instructions,
      limits: { steps: 40 },
    }).result;
    if (status !== 'complete') throw new Error(error?.message ?? status);
  }
  return asked;
}

const instructions = 'You work on a project in TypeScript. Read what you change before you change it.';

/** A model that reads and edits as scripted, and counts its requests as vendors do. */
function editor(
  { asked, contextWindow }: { asked: Asked[]; contextWindow: number },
  next: () => Action | undefined,
): Model {
  return {
    info: { api: 'text', id: 'editor', contextWindow },
    async *stream(request) {
      const text = wireText(request);
      const leftOut = request.messages.find(({ id }) => id.endsWith('/left-out'))?.id;
      asked.push({ text, leftOut, tools: JSON.stringify(request.tools) });
      const action = next();
      const call: ModelPart = {
        type: 'tool-call',
        callId: `call_${asked.length}`,
        name: action?.tool ?? '',
        input: { path: action?.path ?? '', ...(action?.tool === 'edit_file' && { text: `field_${asked.length}` }) },
        executedBy: 'us',
      };
      if (action === undefined) yield { type: 'text-delta', text: 'That is done.' };
      else yield* [{ type: 'text-delta', text: `Step ${asked.length}.` } as const, call];
      const usage = { ...noUsage, inputTokens: tokens(text.length), outputTokens: 30 };
      yield { type: 'finish', reason: action === undefined ? 'stop' : 'tool-calls', usage };
    },
  };
}

const notes: Tool = defineTool({
  name: 'take_note',
  description: 'Keeps a note for later.',
  input: jsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
  effects: 'write',
  execute: () => 'Noted.',
});

/** Versioned files for the duration of the work. */
function fileTools(): readonly Tool[] {
  const versions = new Map<string, number>();
  const versionOf = (path: string): number => versions.get(path) ?? 1;
  const input = jsonSchema<JsonObject & { path: string }>({
    type: 'object',
    properties: { path: { type: 'string' }, text: { type: 'string' } },
    required: ['path'],
  });
  return [
    defineTool({
      name: 'read_file',
      description: 'Reads a file.',
      input,
      effects: 'read',
      execute({ path }) {
        const version = versionOf(path);
        const text = contentOf(path, version);
        const resource = { key: path, etag: String(version) };
        return result({ output: text, parts: [{ type: 'text', text, resource }] });
      },
    }),
    defineTool({
      name: 'edit_file',
      description: 'Changes a file.',
      input,
      effects: 'write',
      execute({ path }) {
        versions.set(path, versionOf(path) + 1);
        return `${path} is changed.`;
      },
    }),
  ];
}

/** About 1,000 tokens. */
function contentOf(path: string, version: number): string {
  return indices(100)
    .map((line) => `export const field_${line} = '${path}, version ${version}';`)
    .join('\n');
}
