import { type Json, type OptionDefinition, type Tool, type ToolStatistics, UtensilError } from '@utensil/core';
import { isEnabled, isVisible, readOptions, settingsOf, withEnabled, withOption } from '@utensil/core/settings';
import { plainLine } from './plain.ts';
import type { Session } from './session.ts';
import type { Row } from './table.ts';

/** The parts of a session that commands about tools use. */
export type ToolSession = Pick<Session, 'registry' | 'workspace' | 'toolset' | 'stats'>;

/** All tools, each with its options and call statistics, the last failure included. */
export function describeTools(session: ToolSession): readonly Row[] {
  return session.registry.list({ internal: false }).flatMap((tool) => describe(tool, session));
}

function describe(tool: Tool, { workspace, toolset, stats }: ToolSession): readonly Row[] {
  const settings = workspace.settings.current();
  const options = tool.options ?? {};
  const values = readOptions(options, settingsOf(settings, tool).options);
  const reason = toolset().unavailable.find((each) => each.tool === tool)?.reason;
  const about = reason === undefined ? (tool.ui?.subtitle ?? tool.title ?? '') : `unavailable: ${reason}`;
  return [
    [`${isEnabled(settings, tool) ? 'on ' : 'off'}  ${tool.name}`, about],
    ...Object.entries(options)
      .filter(([, definition]) => isVisible(definition, values))
      .map(([id, definition]): Row => [`     ${id} ${shownValue(definition, values[id])}`, definition.label]),
    ...stats.snapshot().flatMap((each) => (each.name === tool.name ? describeCalls(each) : [])),
  ];
}

function describeCalls({ calls, failures, duration, lastError }: ToolStatistics): readonly Row[] {
  const count = `     ${calls} ${calls === 1 ? 'call' : 'calls'}, ${failures} failed`;
  const times = `the longest took ${Math.round(duration.max)} ms`;
  if (lastError === undefined) return [[count, times]];
  return [
    [count, times],
    ['     last error', plainLine(lastError.text)],
  ];
}

function shownValue({ kind }: OptionDefinition, value: Json | undefined): string {
  return kind === 'secret' ? '(secret)' : JSON.stringify(value);
}

/** Enables or disables a tool, and reports it. */
export async function setEnabled(session: ToolSession, name: string | undefined, enabled: boolean): Promise<string> {
  const tool = find(session, name);
  await session.workspace.settings.update((settings) => withEnabled(settings, tool, enabled));
  return `${tool.name} is ${enabled ? 'on' : 'off'}.`;
}

/** Sets an option of a tool from the words of a command, and reports it. */
export async function setOption(session: ToolSession, words: readonly string[]): Promise<string> {
  const [name, id, ...rest] = words;
  const tool = find(session, name);
  const definition = tool.options?.[id ?? ''];
  if (id === undefined || rest.length === 0) throw wrong('Say which option and which value. /tools shows both.');
  // The typed value may be a secret, so no message repeats it.
  if (definition?.kind === 'secret') throw wrong(`Option "${id}" is a secret, and this demo keeps none.`);
  const value = valueFrom(rest.join(' '), definition);
  await session.workspace.settings.update((settings) => withOption(settings, tool, [id, value]));
  return `${id} of ${tool.name} is ${JSON.stringify(value)}.`;
}

/** Parses a word as the kind of value that an option takes; invalid ones are left for validation to refuse. */
function valueFrom(text: string, definition: OptionDefinition | undefined): Json {
  if (definition?.kind === 'boolean') return ({ true: true, false: false } as const)[text] ?? text;
  if (definition?.kind === 'modellist')
    return text
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '');
  if (definition?.kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}

function find({ registry }: ToolSession, name = ''): Tool {
  const tool = registry.get(name);
  if (tool !== undefined) return tool;
  const names = registry
    .list({ internal: false })
    .map((each) => each.name)
    .join(', ');
  throw wrong(name === '' ? `Which tool? There are ${names}.` : `There is no tool "${name}". There are ${names}.`);
}

function wrong(message: string): UtensilError {
  return new UtensilError('invalid_input', message);
}
