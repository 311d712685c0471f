import { isUtensilError } from '@utensil/core';
import type { Conversation } from '../conversation.ts';
import { plainLine } from '../plain.ts';
import { configName } from './config-file.ts';
import type { FolderServer } from './folder-servers.ts';

/** Milliseconds that a request which nobody watches waits for the tools of servers. */
const patience = 10_000;

/** Begins to connect the servers of the folder, and says which of them nobody has allowed yet. */
export async function startServers({ session, terminal, screen }: Conversation): Promise<void> {
  try {
    const waiting = (await session.servers.list()).filter(isUnallowed);
    if (waiting.length > 0) terminal.write(screen.note(unallowedText(waiting)));
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    terminal.write(screen.problem(error.message));
  }
}

/** Waits for the tools of servers, for runs that no person watches. */
export async function awaitServers({ session }: Conversation, signal: AbortSignal): Promise<void> {
  await session.servers.settled(AbortSignal.any([signal, AbortSignal.timeout(patience)]));
}

function isUnallowed({ connected, problem, isDisabled }: FolderServer): boolean {
  return connected === undefined && problem === undefined && !isDisabled;
}

function unallowedText(servers: readonly FolderServer[]): string {
  const names = servers.map(({ name }) => plainLine(name)).join(', ');
  return `${configName} names MCP servers that you have not allowed yet: ${names}. Nothing of them runs. /mcp shows them.`;
}
