import { option } from '@utensil/core';
import type { OptionDefinition, OptionDefinitions } from '@utensil/core';

/** A web service that the user can choose. */
export interface Engine {
  /** Prefix of its options in settings, in lower camel case. */
  readonly id: string;
  /** Name shown to people. */
  readonly label: string;
  /** Setting that the user must provide. */
  readonly needs?: 'key' | 'address';
}

/** The user's settings for an engine, or an explanation of the missing one. */
export type Setup = { readonly key?: string; readonly address?: string } | { readonly problem: string };

/** Options to choose an engine and to set up what it needs. The first one is the default. */
export function engineOptions(label: string, engines: readonly Engine[]): OptionDefinitions {
  const choices = engines.map((engine) => ({ value: engine.id, label: engine.label }));
  const needed = engines.flatMap((engine) => (engine.needs === undefined ? [] : [[optionName(engine), need(engine)]]));
  return {
    engine: option.select<string>({ label, default: engines[0]?.id ?? '', choices }),
    ...(Object.fromEntries(needed) as OptionDefinitions),
  };
}

/** Reads the user's settings for an engine. */
export function setupOf(engine: Engine, options: Readonly<Record<string, unknown>>): Setup {
  const { needs, label } = engine;
  if (needs === undefined) return {};
  const value = options[optionName(engine)];
  const given = typeof value === 'string' ? value.trim() : '';
  if (given !== '') return { [needs]: given };
  const what = needs === 'key' ? 'a key' : 'an address';
  return { problem: `${label} needs ${what}. The user can set it in the options of this tool.` };
}

function optionName({ id, needs }: Engine): string {
  return needs === 'key' ? `${id}Key` : `${id}Address`;
}

function need({ id, label, needs }: Engine): OptionDefinition {
  const visibleWhen = { option: 'engine', equals: id };
  if (needs === 'key') return option.secret({ label: `Key of ${label}`, visibleWhen });
  return option.text({ label: `Address of ${label}`, default: '', placeholder: 'https://', visibleWhen });
}
