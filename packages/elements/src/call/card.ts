import type { Json, JsonObject, Preview } from '@utensil/core';

/** Display form of a result. */
export type Card =
  | { readonly kind: 'changes'; readonly changes: Preview['changes'] }
  | { readonly kind: 'terminal'; readonly command: string; readonly text: string; readonly end: CommandEnd }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'agent'; readonly agent: Agent }
  | { readonly kind: 'value'; readonly value: Json };

/** Work of an agent. */
export interface Agent {
  readonly name: string;
  readonly answer: Json;
  readonly text: string;
  readonly note: string;
  readonly steps: number | undefined;
  readonly tokens: number | undefined;
  /** In US dollars. */
  readonly cost: number | undefined;
}

/** End of a command; all members are absent while it runs. */
export interface CommandEnd {
  readonly code?: number;
  readonly signal?: string;
  readonly reason?: string;
}

type Reader = (view: JsonObject) => Card | undefined;

/** Readers by the `type` of a tool's view: a new kind of card is a new line here. */
const readers: Readonly<Record<string, Reader>> = {
  changes: changesOf,
  terminal: terminalOf,
  code: ({ code, language }) =>
    typeof code === 'string' ? { kind: 'code', code, language: textIn(language) } : undefined,
  agent: agentOf,
};

/** Card for the view that a tool returned for people: by its `type` if it is known and valid, else as a value. */
export function cardOf(view: Json): Card {
  const value = { kind: 'value', value: view } as const;
  if (!isObject(view)) return value;
  const { type } = view;
  const reader = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
  return reader?.(view) ?? value;
}

function changesOf({ changes }: JsonObject): Card | undefined {
  if (!Array.isArray(changes) || !changes.every(isChange)) return undefined;
  return { kind: 'changes', changes };
}

function isChange(change: Json): change is JsonObject & Preview['changes'][number] {
  if (!isObject(change) || typeof change['path'] !== 'string') return false;
  return [change['before'], change['after']].every((text) => text === undefined || typeof text === 'string');
}

function terminalOf({ text, output, command, exit, code }: JsonObject): Card | undefined {
  const shown = text ?? output;
  if (typeof shown !== 'string') return undefined;
  return { kind: 'terminal', text: shown, command: textIn(command), end: endOf(exit ?? code ?? null) };
}

/** End of a command: a code, or `{ code, signal, reason }`. */
function endOf(exit: Json): CommandEnd {
  if (typeof exit === 'number') return { code: exit };
  if (!isObject(exit)) return {};
  const { code, signal, reason } = exit;
  return {
    ...(typeof code === 'number' && { code }),
    ...(typeof signal === 'string' && { signal }),
    ...(typeof reason === 'string' && { reason }),
  };
}

function agentOf({ agent, answer = '', text, note, steps, tokens, cost }: JsonObject): Card {
  const words = { name: textIn(agent), text: textIn(text), note: textIn(note) };
  const facts = { steps: numberIn(steps), tokens: numberIn(tokens), cost: numberIn(cost) };
  return { kind: 'agent', agent: { ...words, ...facts, answer } };
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
