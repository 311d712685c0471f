import { memoize } from '../base/memoize.ts';

/**
 * Tool name for an API that restricts names to ASCII letters, digits, `_` and `-`, and to a length. A valid name is
 * unchanged; any other is reduced to its valid characters and a hash of the whole, so that names stay distinct.
 */
export function wireName(name: string, limit = 64): string {
  if (name.length <= limit && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) return name;
  const left = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
  const hash = hashOf(name).toString(16).padStart(8, '0');
  return `${left.slice(0, limit - hash.length - 1)}_${hash}`;
}

/** Inverse of {@link wireName}. The name of an unknown tool is returned as the model wrote it. */
export function fromWireName(name: string, tools: readonly { readonly name: string }[], limit?: number): string {
  if (limit === undefined && Object.isFrozen(tools)) return inverseOf(tools).get(name) ?? name;
  return tools.find((tool) => wireName(tool.name, limit) === name)?.name ?? name; // without hashing all names
}

/** The tools of a request are the same list as long as nothing changed; frozen, so that no table is outdated. */
const inverseOf = /* @__PURE__ */ memoize(
  (tools: readonly { readonly name: string }[]): ReadonlyMap<string, string> =>
    new Map(tools.map(({ name }) => [wireName(name), name] as const).toReversed()), // the first of two wins
);

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
