import { warnInDevelopment } from '../base/development.ts';
import { callsOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import type { ModelInfo, ToolDefinition } from '../model/model.ts';
import type { ToolsChanged } from '../tool/run-event.ts';
import { toolPrompts } from './prompt.ts';
import type { RunContext } from './run-context.ts';
import { taintBy } from './taint.ts';

export { tellIgnoredOptions, tellIgnoredSettings } from './settings-told.ts';

/** The tools of a request. */
export interface ToolsTold {
  /** Those that the request has. */
  readonly told: readonly ToolDefinition[];
  /** Those too that are to be searched for. */
  readonly all: readonly ToolDefinition[];
}

/** Tells of each tool that cannot be used, once a run; and while an app is developed, once on the console. */
export function tellUnavailable({ toolset, emit }: RunContext, told: Set<string>): void {
  for (const { tool, reason } of toolset.unavailable) {
    const { name } = tool;
    const key = `${name} ${reason}`;
    if (told.has(key)) continue;
    told.add(key);
    emit({ type: 'tool-unavailable', name, reason });
    warnInDevelopment(`Tool "${name}" is unavailable: ${reason}`);
  }
}

/** What became of the tools since the request before; or, of a run that goes on, since its calls. */
interface Turned {
  readonly before: ToolsTold | undefined;
  readonly now: ToolsTold;
  /** The history that the request shows. */
  readonly messages: readonly Message[];
}

/** Tells that the tools have changed, and gives what the model is to be told of it; empty if nothing. */
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

/** The difference between the tools of two requests; undefined if they are the same. */
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

/** What a request begins with. Deferred tools come in where they are found; that there are any is a tool of the vendor's. */
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

/** A run that goes on where its tools are others: what it called is gone. */
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
