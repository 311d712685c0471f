/** Limits on the scopes that a server may request: their number, and characters of each. */
const most = { scopes: 50, characters: 200 };

/** Valid scopes in a text of a server or an issuer (RFC 6749, 3.3). */
export function scopesOf(text: string | undefined): readonly string[] {
  const words = (text ?? '').split(' ').filter((each) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(each));
  return [...new Set(words)].filter((each) => each.length <= most.characters).slice(0, most.scopes);
}

/** Union of both. */
export function joinScopes(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}

export function hasScopes(held: readonly string[], needed: readonly string[]): boolean {
  return needed.every((each) => held.includes(each));
}
