import type { MatchLogic, ModelInfo } from '@pydantic/genai-prices';

/** Forms of an id that the catalog may contain: unchanged, without Google's path, and without its date. */
export function otherIds(id: string): readonly string[] {
  const plain = id.toLowerCase().replace(/^(?:.*\/)?models\//, '');
  const undated = plain.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '').replace(/-latest$/, '');
  return [...new Set([plain, undated])];
}

/**
 * True if an id was matched only by a prefix that it shares with another model: the catalog may take
 * `claude-sonnet-5-5` for `claude-sonnet-5`, and `gpt-5-nano-pro` for `gpt-5-nano`, whose price may differ.
 */
export function isOtherVersion(id: string, { match }: Pick<ModelInfo, 'match'>): boolean {
  const beginnings = beginningsIn(match, id);
  if (beginnings.length === 0) return false;
  const longest = Math.max(...beginnings.map(({ length }) => length));
  const rest = id.slice(longest);
  return dearer.test(rest) || (/^[-.]\d{1,2}(?!\d)/.test(rest) && !/^-\d\d-\d\d(?:\d\d)?$/.test(rest));
}

/** Name parts of more expensive models, or of more expensive tiers of the same model. */
const dearer =
  /(?:^|[-.:_])(?:pro|max|ultra|fast|turbo|plus|large|opus|sonnet|xl|priority|deep|research|thinking)(?![a-z])/;

/** Literal prefixes that match an id; empty if another rule matches it. */
function beginningsIn(match: MatchLogic, id: string): readonly string[] {
  if ('or' in match) {
    const found = match.or.map((each) => (matches(each, id) ? beginningsIn(each, id) : undefined));
    const told = found.filter((each) => each !== undefined);
    return told.some(({ length }) => length === 0) ? [] : told.flat();
  }
  if ('and' in match) return match.and.flatMap((each) => beginningsIn(each, id));
  return 'starts_with' in match ? [match.starts_with] : [];
}

function matches(match: MatchLogic, id: string): boolean {
  if ('or' in match) return match.or.some((each) => matches(each, id));
  if ('and' in match) return match.and.every((each) => matches(each, id));
  if ('starts_with' in match) return id.startsWith(match.starts_with.toLowerCase());
  if ('ends_with' in match) return id.endsWith(match.ends_with.toLowerCase());
  if ('contains' in match) return id.includes(match.contains.toLowerCase());
  return 'equals' in match ? id === match.equals.toLowerCase() : new RegExp(match.regex).test(id);
}
