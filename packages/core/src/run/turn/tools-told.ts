import { callsOf } from '../../model/message.ts';
import type { Message } from '../../model/message.ts';
import type { ModelInfo, ToolDefinition } from '../../model/model.ts';
import type { ToolsChanged } from '../../tool/run-event.ts';
import { toolPrompts } from './prompt.ts';
import type { RunContext } from '../run-context.ts';
import { taintBy } from '../taint.ts';
import { firstReport } from './report-once.ts';

export { notesOnGaps } from './gaps-told.ts'; // rarely needed, as the rest
export { tellIgnoredOptions, tellIgnoredSettings } from './settings-told.ts';

/** Tools of a request. */
export interface ToolsTold {
  /** Names included in the request. */
  readonly told: readonly ToolDefinition[];
  /** Names including those that are only found by search. */
  readonly all: readonly ToolDefinition[];
}

/** Reports each tool that cannot be used, once per run, and in development once on the console. */
export function tellUnavailable(run: RunContext): void {
  for (const { tool, reason } of run.toolset.unavailable) {
    const { name } = tool;
    const text = `Tool "${name}" is unavailable: ${reason}`;
    if (firstReport(run, text, text)) run.emit({ type: 'tool-unavailable', name, reason });
  }
}

/** Compares the tools with those of the previous request, or, in a resumed run, with those it has called. */
interface Turned {
  readonly before: ToolsTold | undefined;
  readonly now: ToolsTold;
  /** The history shown by the request. */
  readonly messages: readonly Message[];
}

/** Reports a change of tools, and returns a note for the model; empty if there is none. */
export async function tellTools(run: RunContext, info: ModelInfo, turned: Turned): Promise<string> {
  const { before, now, messages } = turned;
  for (const name of run.toolset.foreign) taintBy(run.taint, name);
  const used = namesCalled(before === undefined ? messages.slice(lastQuestion(messages)) : messages);
  const change = before === undefined ? goneOf(used, now) : changeOf(before, now, info);
  if (change === undefined) return '';
  run.emit(change);
  const gone = change.removed.filter((name) => used.has(name));
  const prompts =
    change.added.length > 0 ? await toolPrompts(run, info, run.toolset.derive({ only: change.added })) : [];
  return [...(gone.length > 0 ? [goneText(gone)] : []), ...prompts].join('\n\n');
}

function goneText(names: readonly string[]): string {
  return `These tools are no longer available: ${names.join(', ')}. Do not call them.`;
}

/** Difference between the tools of two requests; undefined if they are the same. */
function changeOf(
  before: ToolsTold,
  now: ToolsTold,
  { supports }: Pick<ModelInfo, 'supports'>,
): ToolsChanged | undefined {
  const [earlier, later] = [textByName(before.all), textByName(now.all)];
  const added = [...later.keys()].filter((name) => !earlier.has(name));
  const removed = [...earlier.keys()].filter((name) => !later.has(name));
  const changed = [...later].filter(([name, text]) => earlier.has(name) && earlier.get(name) !== text);
  const searches = supports?.deferredTools ?? false;
  const isKept = prefixOf(before.told, searches) === prefixOf(now.told, searches);
  if (isKept && added.length + removed.length + changed.length === 0) return undefined;
  return {
    type: 'tools-changed',
    added,
    removed,
    changed: changed.map(([name]) => name),
    prefix: isKept ? 'kept' : 'broken',
  };
}

/**
 * The beginning of a request. Deferred tools appear at the position where they are found; the vendor's search tool
 * announces their existence.
 */
function prefixOf(told: readonly ToolDefinition[], searches: boolean): string {
  const whole = told.filter((each) => !isDeferred(each));
  return JSON.stringify([whole, searches && whole.length < told.length]);
}

function isDeferred(definition: ToolDefinition): boolean {
  return definition.type === 'function' && definition.defer === true;
}

function textByName(definitions: readonly ToolDefinition[]): ReadonlyMap<string, string> {
  return new Map(definitions.map((each) => [each.name, JSON.stringify(each)]));
}

/** A resumed run with other tools: some that it called are gone. */
function goneOf(used: ReadonlySet<string>, { all }: ToolsTold): ToolsChanged | undefined {
  const names = new Set(all.map(({ name }) => name));
  const removed = [...used].filter((name) => !names.has(name)).toSorted();
  return removed.length === 0
    ? undefined
    : { type: 'tools-changed', added: [], removed, changed: [], prefix: 'broken' };
}

function lastQuestion(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'user') + 1;
}

function namesCalled(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => callsOf(message).map(({ name }) => name)));
}
