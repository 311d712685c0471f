import { isObject } from '@utensil/core';
import type { Json, JsonObject, ProviderResultPart } from '@utensil/core';
import { outcomeOf } from './call-view.ts';
import type { CallResult, CallView } from './call-view.ts';

/** Maximum number of search results to show. */
const mostPages = 100;

/** A vendor call with its result. */
export function withProviderResult(call: CallView, part: ProviderResultPart): CallView {
  const result = resultIn(part);
  return { ...call, status: outcomeOf(result), result };
}

/** A vendor result without its call. */
export function callWithResult(part: ProviderResultPart): CallView {
  const { callId, name } = part;
  return withProviderResult({ callId, name, title: name, status: 'done', inner: [] }, part);
}

/** Result of a vendor call. The vendor passed it to the model, so there are no parts sent by us. */
function resultIn({ output, isError }: ProviderResultPart): CallResult {
  const userView = viewOf(output);
  return { isError, output, modelParts: [], ...(userView !== undefined && { userView }) };
}

/** Readable view of known vendor results. Absent: the output unchanged. */
function viewOf(output: Json): Json | undefined {
  if (Array.isArray(output)) return pagesView(output);
  if (!isObject(output)) return undefined;
  return terminalView(output) ?? withoutSealed(output);
}

/** Search results: title and URL. */
function pagesView(output: readonly Json[]): Json | undefined {
  const pages = output.slice(0, mostPages).flatMap((page) => (isPage(page) ? [page] : []));
  if (pages.length === 0 || pages.length < Math.min(output.length, mostPages)) return undefined;
  const rest = output.length > mostPages ? '\n…' : '';
  return pages.map(({ title, url }) => (typeof title === 'string' ? `${title}\n${url}` : url)).join('\n\n') + rest;
}

function isPage(value: Json): value is JsonObject & { readonly url: string } {
  return isObject(value) && typeof value['url'] === 'string';
}

/** Output of a program that the vendor ran. */
function terminalView({ stdout, stderr, return_code: code }: JsonObject): Json | undefined {
  if (typeof stdout !== 'string') return undefined;
  const text = [stdout, stderr].filter((each) => typeof each === 'string' && each !== '').join('\n');
  return { type: 'terminal', text, exit: typeof code === 'number' ? code : null };
}

/** Removes members that only the vendor can read. */
function withoutSealed(output: JsonObject): Json | undefined {
  const open = Object.entries(output).filter(([name]) => !/^encrypted_|signature$/i.test(name));
  return open.length === Object.keys(output).length ? undefined : Object.fromEntries(open);
}
