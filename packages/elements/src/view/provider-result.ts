import { isObject } from '@utensil/core';
import type { Json, JsonObject, ProviderResultPart } from '@utensil/core';
import { outcomeOf } from './call-view.ts';
import type { CallResult, CallView } from './call-view.ts';

/** Search results in a list that are shown. */
const mostPages = 100;

/** A call that the vendor ran, with its result. */
export function withProviderResult(call: CallView, part: ProviderResultPart): CallView {
  const result = resultIn(part);
  return { ...call, status: outcomeOf(result), result };
}

/** A call of which nothing is left but its result. */
export function callWithResult(part: ProviderResultPart): CallView {
  const { callId, name } = part;
  return withProviderResult({ callId, name, title: name, status: 'done', inner: [] }, part);
}

/** Result of a call that the vendor ran. The model had it at the vendor: there are no parts that we have sent. */
function resultIn({ output, isError }: ProviderResultPart): CallResult {
  const userView = viewOf(output);
  return { isError, output, modelParts: [], ...(userView !== undefined && { userView }) };
}

/** The shapes in which vendors give results that people can read. Absent: the output as it is. */
function viewOf(output: Json): Json | undefined {
  if (Array.isArray(output)) return pagesView(output);
  if (!isObject(output)) return undefined;
  return terminalView(output) ?? withoutSealed(output);
}

/** Pages that a search has found: title and address. */
function pagesView(output: readonly Json[]): Json | undefined {
  const pages = output.slice(0, mostPages).flatMap((page) => (isPage(page) ? [page] : []));
  if (pages.length === 0 || pages.length < Math.min(output.length, mostPages)) return undefined;
  const rest = output.length > mostPages ? '\n…' : '';
  return pages.map(({ title, url }) => (typeof title === 'string' ? `${title}\n${url}` : url)).join('\n\n') + rest;
}

function isPage(value: Json): value is JsonObject & { readonly url: string } {
  return isObject(value) && typeof value['url'] === 'string';
}

/** Output of a program that has run at the vendor. */
function terminalView({ stdout, stderr, return_code: code }: JsonObject): Json | undefined {
  if (typeof stdout !== 'string') return undefined;
  const text = [stdout, stderr].filter((each) => typeof each === 'string' && each !== '').join('\n');
  return { type: 'terminal', text, exit: typeof code === 'number' ? code : null };
}

/** Without members that only the vendor can read. */
function withoutSealed(output: JsonObject): Json | undefined {
  const open = Object.entries(output).filter(([name]) => !/^encrypted_|signature$/i.test(name));
  return open.length === Object.keys(output).length ? undefined : Object.fromEntries(open);
}
