import { isUtensilError, UtensilError } from '@utensil/core';
import { plain, plainLine } from '../plain.ts';
import type { Screen } from '../screen.ts';
import { configName } from './config-file.ts';
import type { FolderServer, FolderServers } from './folder-servers.ts';
import type { KnownVersions } from './known-versions.ts';
import { described, isTooLong, serverRows, shownEntry } from './server-rows.ts';
import { typedServer } from './typed-server.ts';

/** Dependencies of `/mcp`. */
export interface McpCommandContext {
  readonly servers: FolderServers;
  readonly versions: KnownVersions;
  readonly screen: Screen;
  /** Shows something at once, while the command goes on. */
  tell(text: string): void;
  /** Asks the person; undefined if there is no answer. */
  askLine(question: string): Promise<string | undefined>;
  /** Work that Ctrl-C ends. */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

type Subcommand = (context: McpCommandContext, rest: string) => Promise<string>;

const subcommands: Readonly<Record<string, Subcommand>> = {
  '': list,
  list,
  accept,
  add,
  connect,
  remove,
  'sign-in': signIn,
};

/** Runs `/mcp …`, and returns the text to print. */
export async function runMcp(context: McpCommandContext, text: string): Promise<string> {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  const subcommand = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (subcommand === undefined)
    throw wrong('Type /mcp list, or /mcp add, connect, sign-in, accept or remove with the name of a server.');
  return subcommand(context, rest);
}

async function list({ servers, screen, versions }: McpCommandContext): Promise<string> {
  const all = await servers.list();
  if (all.length === 0)
    return screen.note('No servers yet. Add one: /mcp add <name> <url>, or /mcp add <name> <command …>');
  const changed = await Promise.all(all.map((server) => changedText(server, versions)));
  const texts = changed.filter((text) => text !== '');
  return screen.table(serverRows(all)) + (texts.length === 0 ? '' : screen.note(texts.join('\n')));
}

async function changedText({ name, connected }: FolderServer, versions: KnownVersions): Promise<string> {
  const changed = connected === undefined ? [] : await versions.changed(connected.namespace);
  if (changed.length === 0) return '';
  const names = changed.map((tool) => plainLine(tool.name)).join(', ');
  return `Changed since you allowed "${plainLine(name)}", and asked about: ${names}. To accept: /mcp accept ${plainLine(name)}`;
}

async function accept(context: McpCommandContext, name: string): Promise<string> {
  const { connected } = await find(context, name);
  if (connected === undefined) throw wrong(`"${name}" is not connected. Type /mcp connect ${name} first.`);
  const names = await context.versions.accept(connected.namespace);
  if (names.length === 0) return context.screen.note(`No tool of "${plainLine(name)}" waits to be accepted.`);
  return context.screen.note(`Accepted: ${names.map(plainLine).join(', ')}.`);
}

async function add(context: McpCommandContext, rest: string): Promise<string> {
  const { name, entry } = typedServer(rest);
  const added = await context.servers.add(name, entry);
  return connectedText(context, added);
}

const question = { stdio: 'Run this on your machine, with all your permissions?', http: 'Connect to this server?' };

async function connect(context: McpCommandContext, name: string): Promise<string> {
  const { servers, screen, tell } = context;
  const found = await find(context, name);
  if (found.isDisabled) throw wrong(`"${name}" is disabled in ${configName}: remove "disabled" there first.`);
  if (found.connected === undefined && found.problem === undefined) {
    const { entry } = found;
    if (isTooLong(entry))
      throw wrong(
        `The entry "${plainLine(name)}" is too long to be read before you agree to it. Shorten it in ${configName}.`,
      );
    tell(screen.note(`${configName} names the server "${plainLine(name)}":\n  ${plain(shownEntry(entry))}`));
    const asked = typeof entry === 'object' && entry !== null && 'url' in entry ? question.http : question.stdio;
    const answer = await context.askLine(`  ${asked} [y]es · [n]o: `);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) return screen.note('Not connected.');
  }
  return connectedText(context, await servers.connect(found));
}

async function remove({ servers, screen }: McpCommandContext, name: string): Promise<string> {
  if (!(await servers.remove(name))) throw wrong(`There is no server "${name}". /mcp lists them.`);
  return screen.note(`Removed "${plainLine(name)}". What you chose for its tools is kept, should it come back.`);
}

async function signIn(context: McpCommandContext, name: string): Promise<string> {
  const { screen, tell, during } = context;
  const found = await find(context, name);
  const { connected } = found;
  if (connected === undefined) throw wrong(`"${name}" is not connected. Type /mcp connect ${name} first.`);
  const begun = await connected.signIn();
  if (begun === undefined)
    throw wrong(`"${name}" takes no sign-in here: it is a program, or has headers in ${configName}.`);
  tell(screen.note(`To sign in at ${plainLine(begun.issuer)}, open this page. Ctrl-C stops waiting.`));
  tell(`\n${plainLine(begun.url)}\n\n`); // whole, on a line of its own, to be copied
  try {
    await during((signal) => begun.finished(signal));
  } catch (error) {
    if (isUtensilError(error)) throw error;
    return screen.note('Not signed in. Type /mcp sign-in again to go on.');
  }
  return connectedText(context, await context.servers.connect(found), 'Signed in. ');
}

async function find({ servers }: McpCommandContext, name: string): Promise<FolderServer> {
  const all = await servers.list();
  const found = all.find((server) => server.name === name);
  if (found !== undefined) return found;
  const names = all.map((server) => server.name).join(', ');
  const hint = names === '' ? 'There are none yet: /mcp add adds one.' : `There are ${names}.`;
  throw wrong(name === '' ? `Which server? ${hint}` : `There is no server "${name}". ${hint}`);
}

/** Waits for the first list of tools, as long as the person does, and says how it went. */
async function connectedText(
  { servers, screen, during }: McpCommandContext,
  server: FolderServer,
  said = '',
): Promise<string> {
  await during((signal) => servers.settled(signal));
  const { state, advice } = described(server);
  return screen.note(
    [`${said}${server.name}: ${state.endsWith('…') ? state : `${state}.`}`, ...advice].map(plainLine).join('\n'),
  );
}

function wrong(message: string): UtensilError {
  return new UtensilError('invalid_input', message);
}
