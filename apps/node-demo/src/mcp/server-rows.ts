import { isObject } from '@utensil/core';
import type { Json } from '@utensil/core';
import { plainLine } from '../plain.ts';
import type { Row } from '../table.ts';
import type { FolderServer } from './folder-servers.ts';
import { quoted, shownWords } from './typed-server.ts';

/** Characters of a problem that are shown: a server may have written it. */
const mostShown = 600;

/** All servers, and below each its problem and what to do. */
export function serverRows(servers: readonly FolderServer[]): readonly Row[] {
  return servers.flatMap((server) => {
    const { state, advice } = described(server);
    const { name, entry, connected } = server;
    const about = connected?.status.server;
    const version = about === undefined ? '' : ` · ${about.title ?? about.name} ${about.version}`;
    const rows: readonly Row[] = [[plainLine(name), plainLine(`${transportOf(entry)} · ${state}${version}`)]];
    return [...rows, ...advice.map((text): Row => ['', plainLine(text).slice(0, mostShown)])];
  });
}

/** Status of a server in words, with advice for the person. */
export function described({ name, entry, isDisabled, connected, problem }: FolderServer): {
  readonly state: string;
  readonly advice: readonly string[];
} {
  if (problem !== undefined) return { state: 'cannot be used', advice: [problem] };
  if (isDisabled) return { state: 'disabled in .mcp.json', advice: [] };
  if (connected === undefined)
    return { state: 'not allowed yet', advice: [shownEntry(entry), `To allow and connect it: /mcp connect ${name}`] };
  const { status } = connected;
  const counted = toolsText(connected.tools());
  const listing = connected.problem === undefined ? [] : [connected.problem];
  if (status.state === 'ready') return { state: `connected, ${counted}`, advice: listing };
  if (status.state === 'degraded' && status.needsSignIn === true)
    return { state: 'needs you to sign in', advice: [`Sign in: /mcp sign-in ${name}`] };
  if (status.state === 'degraded')
    return { state: 'not connected', advice: [status.problem ?? '', `Try again: /mcp connect ${name}`] };
  return { state: 'connecting …', advice: [] };
}

function toolsText(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`;
}

function transportOf(entry: Json): string {
  return isObject(entry) && 'url' in entry ? 'http' : 'stdio';
}

/** Characters of an entry that a person can be expected to read before agreeing to it. */
const mostRead = 4_000;

export function isTooLong(entry: Json): boolean {
  return shownEntry(entry).length > mostRead;
}

/** Command or address of an entry, as in the file, with everything that affects it. */
export function shownEntry(entry: Json): string {
  if (!isObject(entry)) return quoted(entry);
  const { url, headers, command, args, env, cwd, ...others } = entry;
  const listed = [
    ...(url === undefined ? [] : [shownWords([textOf(url)])]),
    ...(headers === undefined ? [] : [`with headers ${quoted(headers)}`]),
    ...(env === undefined ? [] : [`with variables ${quoted(env)}`]),
    ...(cwd === undefined ? [] : [`in ${shownWords([textOf(cwd)])}`]),
    ...(Object.keys(others).length === 0 ? [] : [`and ${quoted(others)}`]),
  ].join(' ');
  return command === undefined ? listed : `${shownWords([command, args ?? []].flat().map(textOf))} ${listed}`.trim();
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : quoted(value);
}
