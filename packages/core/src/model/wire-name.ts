/**
 * The name of a tool for an api that takes ASCII letters, digits, `_` and `-` only, and so many characters. A name that
 * the api takes is itself; any other is what is left of it, and a hash of the whole, so that no two become one.
 */
export function wireName(name: string, limit = 64): string {
  if (name.length <= limit && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) return name;
  const left = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
  const hash = hashOf(name).toString(16).padStart(8, '0');
  return `${left.slice(0, limit - hash.length - 1)}_${hash}`;
}

/** The tool's own name, from what {@link wireName} made of it. A name of none of the tools is the model's own. */
export function fromWireName(name: string, tools: readonly { readonly name: string }[], limit?: number): string {
  return tools.find((tool) => wireName(tool.name, limit) === name)?.name ?? name;
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
