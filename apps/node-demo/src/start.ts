import { messagesOf } from '@utensil/core';
import { resolve } from 'node:path';
import type { ContentPart, UtensilError } from '@utensil/core';
import type { Arguments } from './arguments.ts';
import { chat } from './chat.ts';
import type { Conversation } from './conversation.ts';
import { converse } from './converse.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { followOther } from './follow.ts';
import { findModel, nameModel } from './find-model.ts';
import { createInterrupts, type Interrupts } from './interrupts.ts';
import { hasInput, type Input, isPiped, readPiped } from './piped-input.ts';
import { plainLine } from './plain.ts';
import { rememberedModel } from './remembered-model.ts';
import { createScreen } from './screen.ts';
import { askForServer } from './mcp/ask-for-server.ts';
import { awaitServers, startServers } from './mcp/start-servers.ts';
import { openSeals } from './seal-key.ts';
import { createSession, type Session } from './session.ts';
import { shellFor } from './shell-for.ts';
import type { OpenShow } from './shows/open-show.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { openWorkspace, settingsFolder, type Workspace } from './workspace.ts';

/** Opens the folder, and answers one request or talks to a person. Gives the exit code. */
export async function start(wanted: Arguments, process: NodeJS.Process): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  // npm runs its scripts in the folder of the manifest; `INIT_CWD` is the folder in which it was started.
  const { folder } = wanted;
  const from = env['INIT_CWD'] ?? process.cwd();
  const workspace = await openWorkspace(folder === undefined ? undefined : resolve(from, folder));
  const given = await withShow(wanted, workspace);
  const sealing = await openSeals(workspace.folder, env);
  const shell = await shellFor(given, workspace);
  const interrupts = createInterrupts(
    () => terminal.write(screen.note('Press Ctrl-C again to exit.')),
    () => {
      terminal.write('\n');
      process.exit(exitCodes.interrupted);
    },
  );
  const terminal = openTerminal({ input: stdin, output: stdout, errors: stderr }, interrupts.press);
  const screen = createScreen(terminal, {
    iconOf: (tool) => session.registry.get(tool)?.ui?.icon,
    repeatsResults: () => terminal.resultLook === undefined && session.model().repeatsResults === true,
  });
  const results = terminal.resultLook === undefined ? screen : createScreen(terminal.resultLook);
  const session = createSession({
    workspace,
    env,
    model: given.played?.model ?? (await modelFor(given, workspace, env)),
    baseUrl: given.baseUrl,
    shell,
    ...('seals' in sealing && { seals: sealing.seals }),
    budget: given.budget,
    yes: given.yes,
    interactive: await canAsk(given, { terminal, stdin }),
    warn: ({ message }) => terminal.write(screen.problem(message)),
    tell: (text) => terminal.write(screen.note(text)),
    askForServer: askForServer({ terminal, screen }),
  });
  process.on('SIGINT', interrupts.press);
  for (const [signal, code] of endingSignals) process.once(signal, () => process.exit(code)); // processes of servers end with it
  terminal.write(screen.note(greeting(session, given)));
  if (workspace.settings.problem) terminal.write(screen.problem(settingsText(workspace, workspace.settings.problem)));
  if ('problem' in sealing) terminal.write(screen.note(sealing.problem));
  try {
    const conversation = { session, terminal, screen, results };
    await startServers(conversation);
    if (!terminal.isPerson || given.request !== undefined)
      await interrupts.during((signal) => awaitServers(conversation, signal));
    return await talk(conversation, given, { interrupts, stdin });
  } finally {
    terminal.close();
    process.off('SIGINT', interrupts.press);
    await session.close();
  }
}

const endingSignals = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

/** Arguments of the command line, with the request of a show. */
interface Given extends Arguments {
  readonly played?: OpenShow;
}

async function withShow(given: Arguments, { files }: Workspace): Promise<Given> {
  if (given.show === undefined) return given;
  const { openShow } = await import('./shows/open-show.ts');
  const played = await openShow(given.show, files());
  return { ...given, request: played.request, played };
}

/** The one that was asked for, that was chosen here before, or that is there. */
async function modelFor(
  { model, baseUrl }: Arguments,
  { records }: Workspace,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const search = { env, baseUrl };
  if (model !== undefined) return nameModel(model, search);
  return (await rememberedModel(records)) ?? findModel(search);
}

/** True if questions can be answered, by a person at the terminal or by lines of a script. */
async function canAsk(
  { request, played }: Given,
  { terminal, stdin }: { readonly terminal: Terminal; readonly stdin: Input },
): Promise<boolean> {
  if (terminal.isPerson || request === undefined) return true;
  if (played === undefined || !isPiped(stdin)) return false;
  const found = await hasInput(stdin);
  if (found === 'silent') stdin.destroy(); // else it would keep the program from ending
  return found === 'some';
}

const aboutText = 'Utensil is a TypeScript SDK for LLM tools. Here, a model works with the files of a folder.';

const offlineText =
  'Model: offline, which understands simple commands only. For a language model, start Ollama, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.';

const readOnlyText = 'This folder is read-only: files can be read but not changed, and this conversation is not saved.';

function greeting({ model, workspace }: Session, { request }: Given): string {
  const { name } = model();
  const readOnly = workspace.isReadOnly ? [readOnlyText] : [];
  if (request !== undefined) return [`Utensil · ${name} · ${workspace.folder}`, ...readOnly].join('\n');
  const isOffline = name === 'offline';
  const example = isOffline ? 'list, then write notes/todo.md: buy milk' : 'What is in this folder?';
  return [
    aboutText,
    isOffline ? offlineText : `Model: ${name}. /model changes it.`,
    `Folder: ${workspace.folder}`,
    ...readOnly,
    `Try: ${example}`,
    'Type /help for commands. Ctrl-C stops an answer, Ctrl-D exits.',
  ].join('\n');
}

function settingsText(workspace: Workspace, { message }: UtensilError): string {
  return `${message}\nDefault settings are used. The old ones are kept in ${settingsFolder(workspace)}`;
}

/** Sources of requests and interrupts other than the command line. */
interface Outside {
  readonly interrupts: Interrupts;
  readonly stdin: Input;
}

async function talk(conversation: Conversation, given: Given, outside: Outside): Promise<number> {
  const { session, terminal, screen } = conversation;
  const { thread, request } = given;
  if (thread !== undefined) terminal.write(screen.history(await messagesOf(await session.useThread(thread))));
  if (request !== undefined) return answer(conversation, { ...given, request }, outside);
  const interrupted = await session.interrupted();
  if (interrupted)
    terminal.write(screen.note(`"${plainLine(interrupted.title)}" was interrupted. Type /resume to go on.`));
  return chat(conversation, outside.interrupts);
}

/** Answers the request of the command line, or of a show. */
async function answer(
  conversation: Conversation,
  given: Given & { readonly request: string },
  { interrupts, stdin }: Outside,
): Promise<number> {
  const { session, terminal, screen } = conversation;
  const { request, played } = given;
  if (!(await interrupts.during((signal) => followOther(conversation, signal)))) {
    terminal.write(screen.problem('Not sent: another program is at work on this conversation, and goes on by itself.'));
    return exitCodes.interrupted;
  }
  if (played) terminal.write(screen.note(`> ${request}`));
  const attached = played ? [] : await attachedInput(given, { conversation, stdin });
  const outcome = await interrupts.during((signal) => converse(conversation, session.send(request, attached), signal));
  if (played) terminal.write(screen.note(played.sum(await messagesOf(session.thread()), session.stats.snapshot())));
  return exitCodeOf(outcome);
}

const silentText =
  'Nothing came on the standard input in 3 seconds: going on without it. End the request with - to wait for a slow command.';

/** Piped input that accompanies a request. */
async function attachedInput(
  { waitsForInput }: Given,
  { conversation, stdin }: { readonly conversation: Conversation; readonly stdin: Input },
): Promise<readonly ContentPart[]> {
  const { terminal, screen } = conversation;
  if (!isPiped(stdin)) return [];
  const found = await hasInput(stdin, waitsForInput);
  const part = found === 'some' ? await readPiped(stdin) : undefined;
  if (found === 'silent') {
    terminal.write(screen.note(silentText));
    stdin.destroy(); // else it would keep the program from ending
  }
  if (part !== undefined) terminal.write(screen.note('The model is also given the standard input, as stdin.txt.'));
  return part === undefined ? [] : [part];
}
