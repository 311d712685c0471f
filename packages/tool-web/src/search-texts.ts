import type { Json } from '@utensil/core';
import { cleanLine } from './clean.ts';
import type { SearchResult } from './search-provider.ts';

interface Found {
  readonly query: string;
  readonly page: number;
  readonly results: readonly SearchResult[];
}

/** Text for a failed search. */
export function failureText(why: string): string {
  return `Search failed: ${why}`;
}

/** One-line status of a search. */
export function statusOf(output: Json): string {
  const found = foundIn(output);
  if (found === undefined) return cleanLine(String(output));
  const { results, query } = found;
  return results.length === 0 ? 'No search results found' : `Found ${results.length} results for "${query}"`;
}

/** Results as shown to the model. */
export function foundText(output: Json): string {
  const found = foundIn(output);
  if (found === undefined) return String(output);
  if (found.results.length === 0) return noneText(found);
  return [`${statusOf(output)}:`, ...listed(found.results)].join('\n\n');
}

/** Number of results shown to people. */
const shownCount = 5;
const shownSnippet = 200;
const shownSummary = 300;

/** Results as shown to people. */
export function shownResults(output: Json): string {
  const found = foundIn(output);
  if (found === undefined || found.results.length === 0) return statusOf(output);
  const results = found.results.slice(0, shownCount).map((each) => ({
    ...each,
    ...(each.snippet !== undefined && { snippet: cleanLine(each.snippet, shownSnippet) }),
  }));
  return [cleanLine(statusOf(output), shownSummary), ...listed(results)].join('\n\n');
}

function noneText({ query, page }: Found): string {
  const advice = page > 1 ? 'There are no more pages.' : 'Try other words.';
  return `No search results found for "${query}"${page > 1 ? ` on page ${page}` : ''}. ${advice}`;
}

function listed(results: readonly SearchResult[]): readonly string[] {
  return results.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, url, snippet].filter((line) => line !== undefined).join('\n   '),
  );
}

function foundIn(output: Json): Found | undefined {
  const isFound = typeof output === 'object' && output !== null && 'results' in output;
  return isFound ? (output as unknown as Found) : undefined;
}
