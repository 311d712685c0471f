import {
  type Question as StoredQuestion,
  type QuestionAnswer,
  isUtensilError,
  type JsonObject,
  type Run,
  type RunEvent,
} from '@utensil/core';
import type { Conversation } from './conversation.ts';
import { innermost } from './innermost.ts';
import { judgedOf } from './preview.ts';
import type { Screen } from './screen.ts';

/** A question of a run to the person. */
export type Question = Extract<RunEvent, { type: 'approval-request' | 'input-request' | 'recovery-request' }>;

/** Wording of a question, and its possible answers. */
interface Wording {
  text(event: Question): string;
  shown(screen: Screen, event: Question): string;
  /** Parses an answer; undefined if the line is not one, and the question is repeated. */
  answer(line: string, event: Question): QuestionAnswer | undefined;
  /** Answer at the end of the input. Absent: the question stays open, and the run is stopped. */
  readonly unanswered?: QuestionAnswer;
}

const wordings: Readonly<Record<Question['type'], Wording>> = {
  'approval-request': {
    text: ({ answers }) => {
      const lasting = lastingAnswers.filter(([, answer]) => answers?.includes(answer) ?? true).map(([words]) => words);
      return `  Allow this action? ${['[y]es', ...lasting, '[n]o'].join(' · ')}: `;
    },
    shown: (screen, event) =>
      screen.change(event, judgedOf(event)) + (event.reason === undefined ? '' : screen.beside(event, event.reason)),
    answer(line, { answers }) {
      const said = choose<'once' | 'run' | 'always'>(line, [
        [/^(?:y|yes|o|once)$/i, 'once'],
        [/^(?:r|request|run)$/i, 'run'],
        [/^(?:a|always)$/i, 'always'],
      ]);
      return said === undefined || (answers?.includes(said) ?? true) ? (said ?? 'deny') : undefined;
    },
    unanswered: 'deny',
  },
  'input-request': {
    text: () => '  Your answer (Enter skips): ',
    shown: (screen, event) => screen.asked(event, [...textsOf(event.input), ...numbered(choicesOf(event.input))]),
    answer: (line, { input }) => (line === '' ? 'deny' : { output: choicesOf(input)[Number(line) - 1] ?? line }),
    unanswered: 'deny',
  },
  'recovery-request': {
    text: () => '  Did it happen? [y]es, take it as done · [n]o, leave it · do it [a]gain: ',
    shown: (screen, event) => screen.uncertain(event),
    answer: (line) =>
      choose(line, [
        [/^(?:y|yes|accept)$/i, 'accept'],
        [/^(?:n|no|reject)$/i, 'reject'],
        [/^(?:a|again)$/i, 'again'],
      ]),
  },
};

/** Answers that apply to more than one call, and their wording. */
const lastingAnswers = [
  ['for this [r]equest', 'run'],
  ['[a]lways', 'always'],
] as const;

function choose<Answer extends Extract<QuestionAnswer, string>>(
  line: string,
  answers: readonly (readonly [said: RegExp, answer: Answer])[],
): Answer | undefined {
  return answers.find(([said]) => said.test(line))?.[1];
}

/** Text provided by the tool. */
function textsOf(input: JsonObject): readonly string[] {
  return Object.values(input).filter((value) => typeof value === 'string');
}

/** Answers proposed by the tool, as by `ask_user`. */
function choicesOf({ options }: JsonObject): readonly string[] {
  return Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
}

function numbered(choices: readonly string[]): readonly string[] {
  return choices.map((choice, index) => `${index + 1}  ${choice}`);
}

export function isQuestion(event: RunEvent): event is Question {
  return event.type in wordings;
}

/** A question with its event's position: `seq` of the outermost run. */
export interface Asking {
  readonly event: Question;
  readonly seq: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the person, and passes the answer to the run. Returns `nobody` at the end of the input, and `withdrawn` if the
 * question is closed before there is an answer: its call timed out, or the answer was interrupted.
 */
export function askPerson(
  conversation: Pick<Conversation, 'terminal' | 'screen'>,
  running: Pick<Run, 'answer' | 'stop' | 'events'>,
  asking: Asking,
): Promise<'answered' | 'nobody' | 'withdrawn'> {
  return conversation.terminal.inTurn(() => askNow(conversation, running, asking));
}

async function askNow(
  { terminal, screen }: Pick<Conversation, 'terminal' | 'screen'>,
  running: Pick<Run, 'answer' | 'stop' | 'events'>,
  { event, seq, signal }: Asking,
): Promise<'answered' | 'nobody' | 'withdrawn'> {
  const { text, shown, answer, unanswered } = wordings[event.type];
  const closing = new AbortController();
  const closed = AbortSignal.any([signal, closing.signal]);
  void watchClosing(running, { event, seq, signal: closed }, closing);
  try {
    terminal.write(shown(screen, event));
    for (;;) {
      const line = await terminal.ask(text(event), closed);
      if (signal.aborted) return 'withdrawn';
      if (closed.aborted) {
        terminal.write(screen.beside(event, 'The question is closed: its call is over.'));
        return 'withdrawn';
      }
      if (line === undefined) {
        if (unanswered === undefined) running.stop();
        else running.answer(event.questionId, unanswered);
        return 'nobody';
      }
      const given = answer(line.trim(), event);
      if (given === undefined) continue;
      running.answer(event.questionId, given);
      return 'answered';
    }
  } catch (error) {
    if (!isUtensilError(error, 'question_closed')) throw error;
    return 'withdrawn';
  } finally {
    closing.abort();
  }
}

/** Asks about a call of a thread without an active run. Undefined if there is no answer. */
export async function askAbout(
  conversation: Pick<Conversation, 'terminal' | 'screen'>,
  { kind, id: questionId, ...call }: StoredQuestion,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const event = { ...call, type: `${kind}-request`, questionId, seq: 0 } as Question;
  let given: QuestionAnswer | undefined;
  conversation.screen.event(event);
  const running = {
    answer: (_: string, answer: QuestionAnswer) => void (given = answer),
    stop: () => undefined,
    events: async function* () {},
  };
  const outcome = await askPerson(conversation, running, { event, seq: 0, signal });
  return outcome === 'answered' ? given : undefined;
}

/** Continues to read events while a question is open, because its call may end without an answer. */
async function watchClosing(
  running: Pick<Run, 'events'>,
  { event, seq, signal }: Asking,
  closing: AbortController,
): Promise<void> {
  for await (const later of running.events(seq + 1)) {
    if (signal.aborted) return;
    if (later.type === 'run-end' || closes(innermost(later), event)) return closing.abort();
  }
}

function closes(later: RunEvent, { runId, callId }: Question): boolean {
  if (later.runId !== runId) return false;
  return later.type === 'run-end' || (later.type === 'tool-end' && later.callId === callId);
}
