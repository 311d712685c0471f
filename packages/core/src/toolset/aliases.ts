import { messageForModel } from '../base/host-paths.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from './toolset.ts';

/** Names of tools by alias: `{ '@web': 'web_search' }`. */
export interface Aliases {
  readonly [alias: string]: string;
}

/** A tool that the user mentioned and that cannot be used. */
export interface MissingTool {
  /** As the user wrote it. */
  readonly alias: string;
  readonly name: string;
  /** As the end of a sentence. */
  readonly reason: string;
}

/** A message with expanded aliases. */
export interface ExpandedText {
  /** For the model: the original text, followed by the meaning of each alias. */
  readonly text: string;
  /** Names of the mentioned tools that can be used. */
  readonly tools: readonly string[];
  /** For the user; the model is told, too. */
  readonly missing: readonly MissingTool[];
}

/** Aliases declared by tools; if two declare the same one, the first wins. */
export function aliasesOf(tools: readonly Tool[]): Aliases {
  const pairs = tools.flatMap(({ name, ui }) => (ui?.aliases ?? []).map((alias) => [keyOf(alias), name] as const));
  return Object.fromEntries(pairs.toReversed());
}

/**
 * Expands the aliases of tools in a user's message. Case is ignored, and aliases inside a word, a URL or a path do not
 * count.
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
    missing: meant.filter((each): each is MissingTool => each.reason !== undefined),
  };
}

const mention = /(?<![\p{L}\p{N}_.@/-])@[\p{L}\p{N}_]+(?![\p{L}\p{N}_/-]|[.@][\p{L}\p{N}])/gu;

function keyOf(alias: string): string {
  return alias.replace(/^@/, '').toLowerCase();
}

/** Deferred tools count as usable. */
const whole = { api: 'text', supports: { deferredTools: true } } as const;

function whyNot(
  name: string,
  { definitions, unavailable }: Pick<Toolset, 'definitions' | 'unavailable'>,
): string | undefined {
  if (definitions(whole).some((tool) => tool.name === name)) return undefined;
  const reason = unavailable.find(({ tool }) => tool.name === name)?.reason ?? 'it is switched off, or not there';
  return messageForModel(reason).replace(/\.$/, '');
}
