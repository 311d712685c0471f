import { resolve } from 'node:path';
import type { UtensilError } from '@utensil/core';
import type { LocalShell } from '@utensil/local-shell';
import type { Arguments } from './arguments.ts';
import { chat } from './chat.ts';
import { type Conversation, converse } from './converse.ts';
import { findModel, nameModel } from './find-model.ts';
import { createInterrupts, type Interrupts } from './interrupts.ts';
import { plainLine } from './plain.ts';
import { rememberedModel } from './remembered-model.ts';
import { createScreen } from './screen.ts';
import { openSeals } from './seal-key.ts';
import { createSession, type Session } from './session.ts';
import type { OpenShow } from './shows/show.ts';
import { openTerminal } from './terminal.ts';
import { openWorkspace, settingsFolder, type Workspace } from './workspace.ts';

const exitCodes = { answered: 0, failed: 1, denied: 3, interrupted: 130 } as const;

/** Opens the folder, and answers one request or talks to a person. Gives the exit code. */
export async function start(wanted: Arguments, process: NodeJS.Process): Promise<number> {
  const { stdin, stdout, env } = process;
  // npm runs its scripts in the folder of the manifest, and says here where it was started.
  const { folder } = wanted;
  const from = env['INIT_CWD'] ?? process.cwd();
  const workspace = await openWorkspace(folder === undefined ? undefined : resolve(from, folder));
  const given = await withShow(wanted, workspace);
  const sealing = await openSeals(workspace.folder, env);
  const shell = await shellFor(given, workspace);
  const interrupts = createInterrupts(
    () => terminal.write(screen.note('Press Ctrl-C again to quit.')),
    () => {
      terminal.write('\n');
      process.exit(exitCodes.interrupted);
    },
  );
  const terminal = openTerminal({ input: stdin, output: stdout }, interrupts.press);
  const screen = createScreen(terminal);
  const session = createSession({
    workspace,
    env,
    model: given.played?.model ?? (await modelFor(given, workspace, env)),
    baseUrl: given.baseUrl,
    shell,
    ...('seals' in sealing && { seals: sealing.seals }),
    yes: given.yes,
    interactive: given.request === undefined || given.played !== undefined,
    warn: ({ message }) => terminal.write(screen.problem(message)),
  });
  process.on('SIGINT', interrupts.press);
  terminal.write(screen.note(greeting(session)));
  if (workspace.settings.problem) terminal.write(screen.problem(settingsText(workspace, workspace.settings.problem)));
  if ('problem' in sealing) terminal.write(screen.note(sealing.problem));
  try {
    return await talk({ session, terminal, screen }, given, interrupts);
  } finally {
    terminal.close();
    process.off('SIGINT', interrupts.press);
    await session.close();
  }
}

/** What was asked for on the command line, or by a show. */
interface Given extends Arguments {
  readonly played?: OpenShow;
}

async function withShow(given: Arguments, { files }: Workspace): Promise<Given> {
  if (given.show === undefined) return given;
  const { openShow } = await import('./shows/show.ts');
  const played = await openShow(given.show, files());
  return { ...given, request: played.request, played };
}

async function shellFor({ shell, noSandbox }: Arguments, { folder }: Workspace): Promise<LocalShell | undefined> {
  if (!shell) return undefined;
  const { localShell } = await import('@utensil/local-shell');
  return localShell({ root: folder, sandbox: noSandbox ? 'none' : 'required' });
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

function greeting({ model, workspace }: Session): string {
  const { name } = model();
  const lines = [`Utensil · ${name} · ${workspace.folder}`];
  if (name === 'offline')
    lines.push(
      'This is no language model: it understands a few commands, and help lists them.',
      'For a language model, start Ollama, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.',
    );
  return lines.join('\n');
}

function settingsText(workspace: Workspace, { message }: UtensilError): string {
  return `${message}\nThe settings begin anew. The old ones are kept in ${settingsFolder(workspace)}`;
}

async function talk(
  conversation: Conversation,
  { thread, request, played }: Given,
  interrupts: Interrupts,
): Promise<number> {
  const { session, terminal, screen } = conversation;
  if (thread !== undefined) terminal.write(screen.history(await (await session.useThread(thread)).messages()));
  if (request !== undefined) {
    if (played) terminal.write(screen.note(`> ${request}`));
    const code = await interrupts.during((signal) => answer(conversation, request, signal));
    if (played) terminal.write(screen.note(played.sum(await session.thread().messages(), session.stats.snapshot())));
    return code;
  }
  terminal.write(screen.note('/help lists what you can do beside talking.'));
  const interrupted = await session.interrupted();
  if (interrupted) terminal.write(screen.note(`"${plainLine(interrupted.title)}" was interrupted. /resume goes on.`));
  await chat(conversation, interrupts);
  return exitCodes.answered;
}

async function answer(conversation: Conversation, request: string, signal: AbortSignal): Promise<number> {
  const { terminal, screen } = conversation;
  const { status, wasDenied } = await converse(conversation, conversation.session.send(request), signal);
  if (status === 'aborted') return exitCodes.interrupted;
  if (status !== 'complete') return exitCodes.failed;
  if (!wasDenied) return exitCodes.answered;
  terminal.write(screen.problem('A change was denied, because nobody is here to ask. --yes allows it.'));
  return exitCodes.denied;
}
