import { wellFormed } from '../model/well-formed.ts';

/** Redacts known secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.trim() !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** A secret in all its spellings: plain, in a URL, and in JSON. */
export function formsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(wellFormed(secret));
  return [...new Set([secret, inAddress, inAddress.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)])];
}
