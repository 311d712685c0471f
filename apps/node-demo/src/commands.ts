import { messagesOf, openQuestions, UtensilError } from '@utensil/core';
import type { Question, QuestionAnswer } from '@utensil/core';
import process from 'node:process';
import { exportConversation } from './export.ts';
import { busyText } from './follow.ts';
import { runMcp } from './mcp/command.ts';
import { plainLine } from './plain.ts';
import type { Screen } from './screen.ts';
import type { Row } from './table.ts';
import type { Begin, Session } from './session.ts';
import { describeTools, setEnabled, setOption } from './tool-settings.ts';

/** Context of a command. */
export interface CommandContext {
  readonly session: Session;
  readonly screen: Screen;
  /** Asks the person about a call; undefined if there is no answer. */
  ask(question: Question): Promise<QuestionAnswer | undefined>;
  /** Asks the person for a line; undefined if there is none. */
  askLine(question: string): Promise<string | undefined>;
  /** Shows something at once, while the command goes on. */
  tell(text: string): void;
  /** Gives work a signal that Ctrl-C fires. */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

interface Command {
  /** As the help shows it. The first word is its name. */
  readonly usage: string;
  readonly about: string;
  /** Chooses the conversation that the command continues, after any other program has finished with it. */
  choose?(session: Session): Promise<unknown>;
  /** Returns text to print, or begins an answer; undefined ends the program. */
  run(context: CommandContext, words: readonly string[], text: string): Promise<string | Begin | undefined>;
}

const commands: readonly Command[] = [
  {
    usage: '/tools',
    about: 'lists the tools, their options and their calls so far',
    run: async ({ session, screen }) => screen.table(describeTools(session)),
  },
  {
    usage: '/enable <tool>',
    about: 'turns a tool on',
    run: async ({ session, screen }, [name]) => screen.note(await setEnabled(session, name, true)),
  },
  {
    usage: '/disable <tool>',
    about: 'turns a tool off',
    run: async ({ session, screen }, [name]) => screen.note(await setEnabled(session, name, false)),
  },
  {
    usage: '/option <tool> <option> <value>',
    about: 'sets an option of a tool',
    run: async ({ session, screen }, words) => screen.note(await setOption(session, words)),
  },
  {
    usage: '/mcp [list]',
    about: 'lists the MCP servers of this folder; also: add, connect, sign-in, accept, remove',
    run: ({ session, ...context }, _, text) =>
      runMcp({ servers: session.servers, versions: session.versions, ...context }, text),
  },
  {
    usage: '/model [model]',
    about: 'shows or changes the model',
    run: async ({ session, screen }, [name]) =>
      screen.note(
        name === undefined
          ? `${session.model().name}\nOthers: ${(await session.modelNames()).join(', ')}, or any other model id after the colon.`
          : `The model is ${(await session.useModel(name)).name}.`,
      ),
  },
  {
    usage: '/threads',
    about: 'lists the threads, newest first',
    run: async ({ session, screen }) => {
      const rows = await threadRows(session);
      return rows.length === 0 ? screen.note('No threads yet.') : screen.table(rows);
    },
  },
  {
    usage: '/thread <number or id>',
    about: 'continues a thread',
    run: async ({ session, screen }, [name]) => {
      if (name === undefined) throw wrong('Which thread? /threads lists them.');
      const thread = await session.useThread(name);
      const busy = await busyText(thread);
      const shown = screen.history(await messagesOf(thread));
      return busy === '' ? shown : shown + screen.note(`${busy} Type /resume to watch.`);
    },
  },
  {
    usage: '/waiting [number]',
    about: 'lists what waits for your answer, in all threads, or answers one',
    run: async ({ session, screen, ask }, [number]) => {
      if (number !== undefined) return answerWaiting({ session, screen, ask }, Number(number));
      const rows = await waitingRows(session);
      if (rows.length === 0) return screen.note('Nothing waits for an answer.');
      return screen.table(rows) + screen.note('To answer one, type /waiting and its number.');
    },
  },
  {
    usage: '/resume',
    about: 'continues an interrupted answer',
    choose: (session) => session.chooseInterrupted(),
    run: async ({ session, screen }) => (await session.resume()) ?? screen.note('No answer was interrupted.'),
  },
  {
    usage: '/cancel [number]',
    about: 'while an answer is under way: lists the calls that run, or cancels one of them',
    run: async ({ screen }) => screen.note('No call runs at the moment.'),
  },
  {
    usage: '/undo',
    about: 'undoes the file changes of the last answer',
    run: async ({ session, screen }) => {
      const asked = await session.undo();
      return screen.note(asked === undefined ? 'Nothing to undo.' : `Undone: the file changes of "${brief(asked)}".`);
    },
  },
  {
    usage: '/export [file]',
    about: 'writes this conversation to a file, for a report',
    run: async ({ session, screen }, [name]) => {
      const path = await exportConversation(session.thread(), process.env['INIT_CWD'] ?? process.cwd(), name);
      return screen.note(`${path} has everything that was said here. It is replayed with --replay.`);
    },
  },
  {
    usage: '/new',
    about: 'starts a new thread',
    run: async ({ session, screen }) => {
      await session.useThread();
      return screen.note('This is a new thread.');
    },
  },
  {
    usage: '/help',
    about: 'lists these commands',
    run: async ({ screen }) => screen.table(commands.map(({ usage, about }) => [usage, about])),
  },
  { usage: '/quit', about: 'exits, as /exit and Ctrl-D do', run: async () => undefined },
];

/** Other names that people type. */
const synonyms: Readonly<Record<string, string>> = { '/exit': '/quit', '/?': '/help' };

function commandNamed(name: string): Command | undefined {
  const wanted = Object.hasOwn(synonyms, name) ? synonyms[name] : name;
  return commands.find(({ usage }) => usage.split(' ')[0] === wanted);
}

/** True if a line continues a conversation, as messages and some commands do. Chooses that conversation. */
export async function goesOn(session: Session, line: string): Promise<boolean> {
  const [name = ''] = line.trim().split(/\s+/);
  const choose = commandNamed(name)?.choose;
  await choose?.(session);
  return choose !== undefined || !name.startsWith('/');
}

/** Runs a slash command. Throws if it does not exist, or fails. */
export async function runCommand(context: CommandContext, line: string): Promise<string | Begin | undefined> {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const text = line.trim().slice(name.length).trim();
  const command = commandNamed(name);
  if (command === undefined) throw wrong(`There is no command ${name}. Type /help for a list.`);
  return command.run(context, words, text);
}

async function threadRows(session: Session): Promise<readonly Row[]> {
  const current = session.thread().id;
  const threads = await session.threads();
  return threads.map(({ id, title, createdAt }, index) => {
    const when = new Date(createdAt).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }); // as ISO 8601 has it
    const time = createdAt === 0 ? ' '.repeat(when.length) : when; // nobody can tell when
    return [`${id === current ? '*' : ' '}${String(index + 1).padStart(3)}  ${time}`, plainLine(title)];
  });
}

async function waitingRows(session: Session): Promise<readonly Row[]> {
  const [threads, waiting] = await Promise.all([session.threads(), session.waiting()]);
  return waiting.map(({ threadId, title }, index) => {
    const thread = threads.find(({ id }) => id === threadId);
    return [`${String(index + 1).padStart(3)}  ${plainLine(title)}`, plainLine(thread?.title ?? '')];
  });
}

/** Asks about one pending question, stores the answer, and resumes its thread unless another program runs it. */
async function answerWaiting(
  { session, screen, ask }: Pick<CommandContext, 'session' | 'screen' | 'ask'>,
  number: number,
): Promise<string | Begin> {
  const waiting = (await session.waiting())[number - 1];
  if (waiting === undefined) throw wrong('Nothing of that number waits. /waiting lists what does.');
  const thread = await session.useThread(waiting.threadId);
  const question = (await openQuestions(thread)).find(({ id }) => id === waiting.id);
  if (question === undefined) return screen.note('This was answered meanwhile.');
  const answer = await ask(question);
  if (answer === undefined) return screen.note('It still waits for your answer.');
  await session.answer(question.id, answer);
  const busy = await busyText(thread);
  if (busy !== '') return screen.note(`Answered. ${busy}`);
  return (await session.resume()) ?? screen.note('Answered.');
}

/** The beginning of a request, on a line. */
function brief(text: string): string {
  const line = plainLine(text);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

function wrong(message: string): UtensilError {
  return new UtensilError('invalid_input', message);
}
