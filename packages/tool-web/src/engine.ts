import { option } from '@utensil/core';
import type { OptionDefinition, OptionDefinitions } from '@utensil/core';

/** A service of the web that a user can choose. */
export interface Engine {
  /** Names its options in settings: lower camel case. */
  readonly id: string;
  /** For people. */
  readonly label: string;
  /** What the user has to set first. */
  readonly needs?: 'key' | 'address';
}

/** What the user has set for an engine, or what is missing. */
export type Setup = { readonly key?: string; readonly address?: string } | { readonly problem: string };

/** The options by which a user chooses one of these engines, and sets what it needs. The first is the default. */
export function engineOptions(label: string, engines: readonly Engine[]): OptionDefinitions {
  const choices = engines.map((engine) => ({ value: engine.id, label: engine.label }));
  const needed = engines.flatMap((engine) => (engine.needs === undefined ? [] : [[optionName(engine), need(engine)]]));
  return {
    engine: option.select<string>({ label, default: engines[0]?.id ?? '', choices }),
    ...(Object.fromEntries(needed) as OptionDefinitions),
  };
}

/** What the user has set for an engine. */
export function setupOf(engine: Engine, options: Readonly<Record<string, unknown>>): Setup {
  const { needs, label } = engine;
  if (needs === undefined) return {};
  const value = options[optionName(engine)];
  const given = typeof value === 'string' ? value.trim() : '';
  if (given !== '') return { [needs]: given };
  const what = needs === 'key' ? 'a key' : 'an address';
  return { problem: `${label} needs ${what}, which the user can set in the options of this tool.` };
}

function optionName({ id, needs }: Engine): string {
  return needs === 'key' ? `${id}Key` : `${id}Address`;
}

function need({ id, label, needs }: Engine): OptionDefinition {
  const visibleWhen = { option: 'engine', equals: id };
  if (needs === 'key') return option.secret({ label: `Key of ${label}`, visibleWhen });
  return option.text({ label: `Address of ${label}`, default: '', placeholder: 'https://', visibleWhen });
}
