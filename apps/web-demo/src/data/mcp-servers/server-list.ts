import { isObject, UtensilError } from '@utensil/core';
import type { Json, RecordStore, StoredRecord } from '@utensil/core';
import { mcpServerTexts } from '../../texts/mcp-server-texts.ts';
import { isLoopbackHost } from '../private-host.ts';
import { readOnce } from '../mending.ts';

/** A server that the user has added, for all projects. */
export interface AddedServer {
  /** Begins the names of its tools. */
  readonly name: string;
  readonly url: string;
}

/** The record of the list. `workspace.ts` looks whether it is there. */
const key = ['mcp-servers'];

/** The servers in the order of their adding. Throws `invalid_input` once if they are damaged. */
export async function readServers(app: RecordStore): Promise<readonly AddedServer[]> {
  return serversIn(await readOnce(app, key, mcpServerTexts().damaged));
}

function serversIn(record: StoredRecord | undefined): readonly AddedServer[] {
  return Array.isArray(record?.value) ? record.value.filter(isServer) : [];
}

/** Changes the list as it is stored now. The change is made again if another tab has stored one meanwhile. */
export async function changeServers(
  app: RecordStore,
  change: (servers: readonly AddedServer[]) => readonly AddedServer[],
): Promise<void> {
  for (;;) {
    const record = await readOnce(app, key, mcpServerTexts().damaged);
    const servers = change(serversIn(record));
    const value = servers as unknown as Json;
    const next = servers.length === 0 ? ({ type: 'remove', key } as const) : ({ type: 'put', key, value } as const);
    const { ok } = await app.commit([next], { expect: [{ key, etag: record?.etag ?? null }] });
    if (ok) return;
  }
}

/** Reports changes, including those of other tabs. */
export function watchServers(app: RecordStore, listener: () => void): () => void {
  return app.watch(key, listener);
}

const validName = /^[A-Za-z][A-Za-z0-9-]{0,23}$/;

/** Checks a person's input. Throws `invalid_input` with the problem. */
export function checkServer({ name, url: typed }: AddedServer, others: readonly AddedServer[]): AddedServer {
  const texts = mcpServerTexts();
  const problem = (text: string): UtensilError => new UtensilError('invalid_input', text);
  const found = addressProblem(typed);
  if (found !== undefined) throw problem(texts[found]);
  const url = new URL(typed);
  const chosen = name === '' ? nameFor(url, others) : name;
  if (!validName.test(chosen)) throw problem(texts.badName);
  if (others.some((each) => each.name === chosen)) throw problem(texts.nameTaken(chosen));
  return { name: chosen, url: url.href };
}

/** Problem of an address, as a text's key. */
function addressProblem(typed: string): 'noAddress' | 'badAddress' | 'notEncrypted' | 'password' | undefined {
  if (typed === '') return 'noAddress';
  if (!URL.canParse(typed)) return 'badAddress';
  const { protocol, hostname, username, password } = new URL(typed);
  if (!['https:', 'http:'].includes(protocol)) return 'badAddress';
  if (protocol === 'http:' && !isLoopbackHost(hostname)) return 'notEncrypted';
  return username === '' && password === '' ? undefined : 'password';
}

/** A name made of the host: that of `mcp.example.com` is `example`. */
function nameFor({ hostname }: URL, others: readonly AddedServer[]): string {
  const labels = hostname
    .split('.')
    .filter((label) => /^[a-z][a-z0-9-]*$/.test(label) && !['mcp', 'www', 'api'].includes(label));
  const base = (labels[0] ?? 'server').slice(0, 20);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!others.some((each) => each.name === name)) return name;
  }
}

function isServer(value: unknown): value is AddedServer & Record<string, Json> {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    validName.test(value['name']) &&
    typeof value['url'] === 'string' &&
    addressProblem(value['url']) === undefined
  );
}
