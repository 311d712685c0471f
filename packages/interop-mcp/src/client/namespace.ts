/** Derives a namespace from a name: the name itself if valid, otherwise its valid characters and a hash. */
export function namespaceOf(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,23}$/.test(name)) return name;
  const left = name.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^[^A-Za-z]+/, '');
  return `${left.slice(0, 15).replace(/-+$/, '') || 'server'}-${hashOf(name)}`;
}

/** FNV-1a, as in core: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
