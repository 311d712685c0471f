import type { Json, JsonObject, RecordStore, Registry, Seals } from '@utensil/core';
import { isObject, messageOf, UtensilError } from '@utensil/core';
import type { AskPerson } from '@utensil/interop-mcp/client';
import { type Agreements, openAgreements } from './agreements.ts';
import { changeServers, readServers } from './config-file.ts';
import type { ConnectedServer, Connector } from './connector.ts';

/** A server that the file of the folder names. */
export interface FolderServer {
  readonly name: string;
  /** As the file has it; variables are not replaced. */
  readonly entry: Json;
  /** Undefined until the user has agreed to this very entry, or while it is disabled in the file. */
  readonly connected?: ConnectedServer;
  readonly isDisabled: boolean;
  /** Reason for which the entry cannot be used. */
  readonly problem?: string;
}

/** MCP servers of a folder. What is loaded for them is loaded with the first one. */
export interface FolderServers {
  /** Reads the file again, connects approved servers, disconnects removed and changed ones, and returns all. Throws `invalid_input`. */
  list(): Promise<readonly FolderServer[]>;
  /** Writes a server into the file and connects it, without a question: the user has typed it. */
  add(name: string, entry: JsonObject): Promise<FolderServer>;
  /** Connects a server that the person approved as shown. Reconnects it if it is already connected. */
  connect(shown: FolderServer): Promise<FolderServer>;
  /** Removes a server from the file and disconnects it. False if the name is unknown. */
  remove(name: string): Promise<boolean>;
  /** Settles when each server that is connecting has listed its tools or failed, or when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /** Ends connections and processes, with their child processes. */
  close(): Promise<void>;
}

/** Dependencies of a folder's servers. */
export interface FolderServersSetup {
  readonly folder: string;
  readonly registry: Registry;
  readonly records: RecordStore;
  readonly seals?: Seals | undefined;
  /** For `${NAME}` in the file. */
  readonly env: NodeJS.ProcessEnv;
  /** Asks the person a server's question. Without it, servers learn that nobody can be asked. */
  readonly ask?: AskPerson | undefined;
}

export function createFolderServers(setup: FolderServersSetup): FolderServers {
  const { folder, records, seals } = setup;
  const agreements: Agreements = openAgreements(records, seals);
  const connections = new Map<string, { readonly entry: string; readonly server: ConnectedServer }>();
  let connector: Promise<Connector> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** Runs one change at a time, because each compares the file with the connections. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  }

  async function disconnect(name: string): Promise<void> {
    const known = connections.get(name);
    connections.delete(name);
    await known?.server.close();
  }

  async function connected(name: string, entry: Json): Promise<ConnectedServer> {
    const written = JSON.stringify(entry);
    const known = connections.get(name);
    if (known?.entry === written) return known.server;
    await disconnect(name);
    connector ??= import('./connector.ts').then(({ createConnector }) => createConnector(setup));
    const server = (await connector).connect(name, entry);
    connections.set(name, { entry: written, server });
    return server;
  }

  async function toServer(name: string, entry: Json): Promise<FolderServer> {
    const isDisabled = isObject(entry) && entry['disabled'] === true;
    const base = { name, entry, isDisabled };
    if (isClosed || isDisabled || !(await agreements.has(name, entry))) {
      await disconnect(name);
      return base;
    }
    try {
      return { ...base, connected: await connected(name, entry) };
    } catch (error) {
      return { ...base, problem: messageOf(error) };
    }
  }

  async function toServers(entries: ReadonlyMap<string, Json>): Promise<readonly FolderServer[]> {
    const gone = [...connections.keys()].filter((name) => !entries.has(name));
    await Promise.all(gone.map(disconnect));
    return Promise.all([...entries].map(([name, entry]) => toServer(name, entry)));
  }

  async function agreeTo(name: string, entry: Json): Promise<FolderServer> {
    await agreements.add(name, entry);
    return toServer(name, entry);
  }

  return {
    list: () => inTurn(async () => toServers(await readServers(folder))),
    add: (name, entry) =>
      inTurn(async () => {
        const before = await readServers(folder);
        if (before.has(name))
          throw new UtensilError(
            'invalid_input',
            `There is a server "${name}" already. /mcp remove ${name} removes it.`,
          );
        await changeServers(folder, (servers) => void servers.set(name, entry));
        return agreeTo(name, entry);
      }),
    connect: ({ name, entry }) =>
      inTurn(async () => {
        await disconnect(name);
        return agreeTo(name, entry);
      }),
    remove: (name) =>
      inTurn(async () => {
        await disconnect(name);
        await agreements.remove(name); // the same entry may be written again, by a tool or another program
        let isThere = false;
        await changeServers(folder, (servers) => void (isThere = servers.delete(name)));
        return isThere;
      }),
    async settled(signal) {
      const all = Promise.all([...connections.values()].map(({ server }) => server.ready));
      await Promise.race([all, aborted(signal)]);
    },
    close: () =>
      inTurn(async () => {
        isClosed = true;
        await Promise.all([...connections.keys()].map(disconnect));
      }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
