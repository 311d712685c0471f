import { messageForModel } from '../base/host-paths.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from './toolset.ts';

/** The names of tools, by what users call them in a message: `{ '@web': 'web_search' }`. */
export interface Aliases {
  readonly [alias: string]: string;
}

/** A tool that the user called for and that cannot be used. */
export interface MissingTool {
  /** As the user wrote it. */
  readonly alias: string;
  readonly name: string;
  /** As the end of a sentence. */
  readonly reason: string;
}

/** A message with its aliases expanded. */
export interface ExpandedText {
  /** For the model: the text as it was, and below it what is meant by each alias. */
  readonly text: string;
  /** The tools that were called for and can be used. */
  readonly tools: readonly string[];
  /** To be told to the user. The model is told, too. */
  readonly missing: readonly MissingTool[];
}

/** The aliases that tools give themselves; where two want the same, the first has it. */
export function aliasesOf(tools: readonly Tool[]): Aliases {
  const pairs = tools.flatMap(({ name, ui }) => (ui?.aliases ?? []).map((alias) => [keyOf(alias), name] as const));
  return Object.fromEntries(pairs.toReversed());
}

/**
 * What a user means who calls tools by their aliases. Capitals do not count, and an alias within a word, an address or a
 * path is none.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, expandAliases, resolveToolset } from '@utensil/core';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const { missing } = expandAliases('@web who won?', { '@web': 'web_search' }, toolset);
 * console.log(missing); // [ { alias: '@web', name: 'web_search', reason: 'it is switched off, or not there' } ]
 * ```
 */
export function expandAliases(
  text: string,
  aliases: Aliases,
  toolset: Pick<Toolset, 'definitions' | 'unavailable'>,
): ExpandedText {
  const names = new Map(Object.entries(aliases).map(([alias, name]) => [keyOf(alias), name]));
  const written = new Map((text.match(mention) ?? []).toReversed().map((alias) => [keyOf(alias), alias]));
  const meant = [...written].toReversed().flatMap(([key, alias]) => {
    const name = names.get(key);
    return name === undefined ? [] : [{ alias, name, reason: whyNot(name, toolset) }];
  });
  if (meant.length === 0) return { text, tools: [], missing: [] };
  const notes = meant.map(({ alias, name, reason }) =>
    reason === undefined
      ? `[${alias} means the tool ${name}: use it.]`
      : `[${alias} means the tool ${name}, which cannot be used: ${reason}. Say so to the user.]`,
  );
  return {
    text: `${text}\n\n${notes.join('\n')}`,
    tools: [...new Set(meant.filter(({ reason }) => reason === undefined).map(({ name }) => name))],
    missing: meant.flatMap(({ reason, ...each }) => (reason === undefined ? [] : [{ ...each, reason }])),
  };
}

const mention = /(?<![\p{L}\p{N}_.@/-])@[\p{L}\p{N}_]+(?![\p{L}\p{N}_/-]|[.@][\p{L}\p{N}])/gu;

function keyOf(alias: string): string {
  return alias.replace(/^@/, '').toLowerCase();
}

/** Deferred tools can be used, too. */
const whole = { api: 'text', supports: { deferredTools: true } } as const;

function whyNot(
  name: string,
  { definitions, unavailable }: Pick<Toolset, 'definitions' | 'unavailable'>,
): string | undefined {
  if (definitions(whole).some((tool) => tool.name === name)) return undefined;
  const reason = unavailable.find(({ tool }) => tool.name === name)?.reason ?? 'it is switched off, or not there';
  return messageForModel(reason).replace(/\.$/, '');
}
