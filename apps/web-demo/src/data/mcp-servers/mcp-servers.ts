import { UtensilError } from '@utensil/core';
import type { RecordStore, Registry } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import * as z from 'zod/mini';
import { mcpServerTexts } from '../../texts/mcp-server-texts.ts';
import { createTurns } from '../turns.ts';
import type { Vault } from '../vault.ts';
import { browserSignIn } from './browser-sign-in.ts';
import { connect } from './connection.ts';
import type { Connection, ShownServer } from './connection.ts';
import { changeServers, checkServer, readServers, watchServers } from './server-list.ts';
import type { AddedServer } from './server-list.ts';

/** The servers of tools that the user has added. */
export interface McpServers {
  /** The same array until something changes. */
  list(): readonly ShownServer[];
  subscribe(listener: () => void): () => void;
  /** Adds a server and connects it. Throws `invalid_input` if the address or the name is invalid. */
  add(server: AddedServer): Promise<void>;
  /** Signs out, and removes it. Choices for its tools are kept. */
  remove(name: string): Promise<void>;
  /** Reconnects a server. */
  retry(name: string): void;
  /** Begins a sign-in. Gives the page to open. */
  signIn(name: string): Promise<{ readonly url: string; readonly issuer: string }>;
  signOut(name: string): Promise<void>;
}

interface Setup {
  /** The records of the app. */
  readonly app: RecordStore;
  readonly registry: Registry;
  readonly vault: Vault;
}

/** Opens the servers that are stored, and connects them. */
export async function openMcpServers({ app, registry, vault }: Setup): Promise<McpServers> {
  z.config({ jitless: true }); // for the client of MCP: the policy of the page makes no text into a script
  const { notify, subscribe } = createListeners();
  const sign = browserSignIn(vault);
  const inTurn = createTurns();
  const connections = new Map<string, { readonly server: AddedServer; readonly connection: Connection }>();
  let shown: readonly ShownServer[] = [];

  function changed(): void {
    shown = [...connections.values()].map(({ connection }) => connection.shown());
    notify();
  }

  function open(server: AddedServer): void {
    const connection = connect(server, { registry, account: sign?.server(server.url), changed });
    connections.set(server.name, { server, connection });
  }

  /** Its tools go at once. The connection ends later, which may take seconds. */
  function close(name: string): void {
    void connections.get(name)?.connection.close();
    connections.delete(name);
  }

  /** Loads the stored servers, including those of other tabs. */
  async function load(): Promise<void> {
    const stored = await readServers(app);
    const isKept = ({ name, url }: AddedServer): boolean =>
      stored.some((each) => each.name === name && each.url === url);
    for (const { server } of [...connections.values()]) if (!isKept(server)) close(server.name);
    for (const server of stored) if (!connections.has(server.name)) open(server);
    changed();
  }

  /** One at a time: an older list must not come last. */
  const refresh = (): Promise<void> => inTurn(load);

  function retry(name: string): void {
    const known = connections.get(name);
    if (known === undefined) return;
    void known.connection.close();
    open(known.server); // in the same place
    changed();
  }

  const unwatch = watchServers(app, () => void refresh().catch(() => undefined));
  await refresh().catch((error: unknown) => {
    unwatch(); // it is opened again later
    throw error;
  });
  registry.subscribe(changed);
  vault.subscribe(() => retryAll('failed')); // tokens can be read if it was unlocked
  addEventListener('online', () => retryAll('failed'));

  function retryAll(state: ShownServer['state']): void {
    for (const server of shown) if (server.state === state) retry(server.name);
  }

  return {
    list: () => shown,
    subscribe,
    async add(typed) {
      await changeServers(app, (servers) => [...servers, checkServer(typed, servers)]);
      await refresh();
    },
    async remove(name) {
      await connections
        .get(name)
        ?.connection.account?.signOut()
        .catch(() => undefined); // the server goes all the same
      await changeServers(app, (servers) => servers.filter((each) => each.name !== name));
      await refresh();
    },
    retry,
    async signIn(name) {
      const account = connections.get(name)?.connection.account;
      if (account === undefined || sign === undefined)
        throw new UtensilError('invalid_input', mcpServerTexts().noSignIn);
      return sign.begin(account);
    },
    async signOut(name) {
      await connections.get(name)?.connection.account?.signOut();
      retry(name);
    },
  };
}
