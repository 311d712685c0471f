import { longestTimer } from '../../base/environment.ts';
import { UtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { createQueue } from '../../files/queue.ts';
import { outermost, subCallMark } from '../../model/sub-call.ts';
import { afterTimeout } from '../../base/pauses.ts';
import type { AnswerEntry, QuestionEntry } from '../../thread/entry.ts';
import { answerName, checkAnswer, mayAnswer } from '../../thread/question.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import { isExpired } from '../../thread/open-questions.ts';
import { mayNotAnswer, noQuestion } from '../../thread/question-errors.ts';
import { isAsked as isSealed, sealAnswer, sealQuestion } from '../../thread/question-seals.ts';
import { recordOf } from '../calls/call-records.ts';
import { showsChanges } from './preview.ts';
import { asksTheMigrated, asksTheSame, questionOf } from './question-entry.ts';
import type { Asking } from './question-entry.ts';
import type { AskedCall } from '../../tool/run-event.ts';
import type { AskPeople } from '../guard/guard-session.ts';
import type { RunContext } from '../run-context.ts';
import { firstAnswer } from '../../thread/stored-answers.ts';

/** Reason why a question has no answer: it was closed, it expired, or nobody can be asked. */
export type Unanswered = 'closed' | 'expired' | 'nobody';

/** Reason why inner calls ask nothing more: the run was stopped, or the user turned to something else. */
export type Declined = 'stopped' | 'dismissed';

/** A question, stored if the run has a thread. */
export interface Raised {
  readonly question: QuestionEntry;
  /** Later entries may be answers, in addition to those present when the run began. */
  readonly after: number;
}

/** Questions of a run. */
export interface Questions {
  /** Stores a question, unless the thread has it from before an interruption. */
  raise(asking: Asking): Promise<Raised>;
  /** The answer, present or future. */
  wait(raised: Raised, signal?: AbortSignal): Promise<QuestionAnswer | Unanswered>;
  close(callId: string): void;
  /** Closes questions about inner calls of this call: it is over, so nobody waits for them. */
  closeMadeBy(callId: string): void;
  /** Closes questions about all inner calls. */
  closeInside(): void;
  closeAll(): void;
  /** Leaves all questions to the next run on the thread: here, they are never answered. */
  leaveAll(): void;
  /** True if a call of the model waits for an answer. */
  isOpen(callId: string): boolean;
  /** Number of questions inside each call of the model. */
  askingInside(): ReadonlyMap<string, number>;
}

/** An answer, from a caller in this process or from the thread. */
type Said = Pick<AnswerEntry, 'answer' | 'by'> & { readonly isStored: boolean };

/** Answers of callers, while the question is followed. */
interface Answered {
  readonly said: Said | Unanswered;
  unfollow(): void;
}

/** A pending question. */
interface Waiting {
  readonly question: QuestionEntry;
  close(): void;
  leave(): void;
}

/**
 * Creates the questions of a run, which are announced by events. `park` is called when the run may have nothing to do
 * but wait.
 */
export function createQuestions(run: RunContext, park: () => void): Questions {
  const { environment, seals, calls, family, emit } = run;
  const { keeper } = family;
  const { after = afterTimeout } = environment;
  const threadId = keeper?.threadId ?? '';
  const open = new Map<string, Waiting>();

  async function raise(asking: Asking): Promise<Raised> {
    const record = recordOf(calls, asking.call.callId);
    const asked = questionOf(asking, run, environment.id());
    const { question: earlier, answers = [] } = record.asked ?? {};
    const isAsked = earlier !== undefined && (asksTheSame(earlier, asked) || isCarried(earlier, asked));
    const isSame = isAsked && (await isOurs(earlier));
    if (isSame && !(await isHidden(earlier, answers))) return { question: earlier, after: keeper?.last() ?? 0 };
    if (answers.length > 0 && !isSame) ignore(asked, 'the call or its tool is not what it was when the user was asked');
    delete record.asked;
    if (keeper === undefined) return { question: asked, after: 0 };
    const question = await sealQuestion(threadId, asked, seals);
    return { question, after: await keeper.store(question) };
  }

  /** True if it was answered and its call migrated since. A pending one is asked again, about the migrated call. */
  function isCarried(earlier: QuestionEntry, asked: QuestionEntry): boolean {
    const { asked: before, ready } = recordOf(calls, asked.callId);
    return before !== undefined && before.answers.length > 0 && asksTheMigrated(earlier, asked, ready?.migratedFrom);
  }

  /** True if it has only invalid answers: others no longer consider it open, so it is asked again. */
  async function isHidden(question: QuestionEntry, answers: readonly AnswerEntry[]): Promise<boolean> {
    if (answers.length === 0 || isExpired(question, environment.now())) return false;
    return (await first(question, answers)) === undefined;
  }

  /** True if the app has stored this question. Without a key, no answer to it lets anything run. */
  async function isOurs(question: QuestionEntry): Promise<boolean> {
    return seals === undefined || isSealed(threadId, question, seals).catch(() => false);
  }

  function first(question: QuestionEntry, answers: readonly AnswerEntry[]): Promise<AnswerEntry | undefined> {
    const ignored = (reason: string): void => ignore(question, reason);
    return firstAnswer(question, answers, { threadId, seals, now: environment.now, ignored });
  }

  function ignore({ callId, name }: QuestionEntry, reason: string): void {
    emit({ type: 'permission-ignored', callId, name, reason });
  }

  /** Emits the event of an answer. */
  function told({ question }: Raised, { answer, by }: Pick<AnswerEntry, 'answer' | 'by'>): QuestionAnswer | Unanswered {
    if (answer === 'closed') return 'closed';
    const { id: questionId, callId, kind } = question;
    emit({ type: `${kind}-answer`, questionId, callId, answer: answerName(answer), ...(by !== undefined && { by }) });
    return answer;
  }

  async function wait(raised: Raised, signal?: AbortSignal): Promise<QuestionAnswer | Unanswered> {
    const { question } = raised;
    const before = await first(question, recordOf(calls, question.callId).asked?.answers ?? []);
    if (before !== undefined) return told(raised, before);
    if (isExpired(question, environment.now())) return 'expired';
    if (!run.interactive) return 'nobody';
    const { said, unfollow } = await answered(raised, signal);
    try {
      if (typeof said !== 'string') return told(raised, said.isStored ? said : await stored(question, said));
      const isInside = question.parentCallId !== undefined || question.path !== undefined;
      // A call of the model gets a result anyway; if the run is over, its end tells.
      if (isInside) await keeper?.store(answerTo(question, { answer: 'closed' })).catch(() => undefined);
      return said;
    } finally {
      unfollow();
    }
  }

  /** Stores an answer and returns it, or the one that another process stored first. */
  async function stored(question: QuestionEntry, { answer, by }: Said): Promise<Pick<AnswerEntry, 'answer' | 'by'>> {
    const entry = answerTo(question, { answer, ...(by !== undefined && { by }) });
    if (keeper === undefined) return entry;
    const sealed = await sealAnswer(threadId, { question, answer: entry }, seals).catch(() => entry); // it counts in this process
    const position = await keeper.store(sealed);
    return (await first(question, await keeper.answers.before(question.id, position))) ?? entry;
  }

  function answerTo({ id }: QuestionEntry, said: Pick<AnswerEntry, 'answer' | 'by'>): AnswerEntry {
    return { type: 'answer', questionId: id, ...said, time: environment.now() };
  }

  /** Waits for an answer, from this process or another one, or for the end of the question. */
  function answered(raised: Raised, signal?: AbortSignal): Promise<Answered> {
    const { question } = raised;
    const { id, kind, expiresAt } = question;
    return new Promise((resolve) => {
      const cleanups: (() => void)[] = [];
      const close = (): void => settle('closed');
      const unfollow = follow(raised, settle);
      const forget = (): boolean => {
        family.open.delete(id);
        open.delete(id);
        for (const cleanup of cleanups.splice(0)) cleanup();
        return family.due.delete(id);
      };
      const leave = (): void => (forget(), unfollow());
      open.set(id, { question, close, leave });
      family.open.set(id, (answer, by) => {
        if (isExpired(question, environment.now())) throw noQuestion(id);
        if (question.kind === 'approval' && answer === 'always' && !run.canRemember) throw nowhereToRemember();
        checkAnswer(question, { answer, by });
        if (!mayAnswer(question, by)) throw mayNotAnswer(question, by);
        settle({ answer, ...(by !== undefined && { by }), isStored: false });
      });
      run.pauseTime(question.parentCallId, 1);
      cleanups.push(() => run.pauseTime(question.parentCallId, -1));
      signal?.addEventListener('abort', close);
      cleanups.push(() => signal?.removeEventListener('abort', close));
      if (expiresAt !== undefined) expire(expiresAt);
      const { parkAfterMs } = run.questions;
      const due = (): void => {
        family.due.add(id);
        park();
      };
      if (parkAfterMs !== undefined && parkAfterMs <= longestTimer) cleanups.push(after(parkAfterMs, due));
      emit({ type: `${kind}-request`, ...eventOf(question) });
      if (run.ask !== undefined) askPeople(run.ask, question, settle);

      function settle(said: Said | Unanswered): void {
        if (forget()) park();
        resolve({ said, unfollow });
      }

      /** Timers are limited to some weeks. */
      function expire(at: number): void {
        const leftMs = at - environment.now();
        const then = (): void => (leftMs <= longestTimer ? settle('expired') : expire(at));
        cleanups.push(after(Math.min(leftMs, longestTimer), then));
      }
    });
  }

  /** Answers of the guard's `ask` are treated like those of a caller in this process. */
  function askPeople(ask: AskPeople, question: QuestionEntry, settle: (said: Unanswered) => void): void {
    const said = async (): Promise<void> => {
      const answer = await ask(question, { signal: run.signal });
      if (answer !== 'later') family.open.get(question.id)?.(answer);
    };
    said().catch(() => settle('nobody'));
  }

  /** Takes the first valid answer of another process. */
  function follow({ question, after }: Raised, settle: (said: Said) => void): () => void {
    const inOrder = createQueue();
    const look = async (answer: AnswerEntry): Promise<void> => {
      const found = await first(question, [answer]);
      if (found !== undefined && open.has(question.id)) settle({ ...found, isStored: true });
    };
    const take = (answer: AnswerEntry): void => void inOrder([question.id], () => look(answer));
    return keeper?.answers.follow(question.id, after, take) ?? (() => undefined);
  }

  function closeIf(isMeant: (question: QuestionEntry) => boolean): void {
    for (const { question, close } of [...open.values()]) if (isMeant(question)) close();
  }

  return {
    raise,
    async wait(raised, signal) {
      const answer = await wait(raised, signal);
      const { callId, preview } = raised.question;
      if (showsChanges(preview)) recordOf(calls, callId).isReviewed = true;
      return answer;
    },
    close: (callId) => closeIf((question) => question.callId === callId),
    closeMadeBy: (callId) => closeIf((question) => question.callId.startsWith(`${callId}${subCallMark}`)),
    closeInside: () => closeIf(({ parentCallId }) => parentCallId !== undefined),
    closeAll: () => closeIf(() => true),
    leaveAll() {
      for (const { leave } of [...open.values()]) leave();
    },
    isOpen: (callId) => [...open.values()].some(({ question }) => question.callId === callId),
    askingInside() {
      const counts = new Map<string, number>();
      for (const { question } of open.values()) {
        if (question.parentCallId === undefined) continue;
        const callId = outermost(question.callId);
        counts.set(callId, (counts.get(callId) ?? 0) + 1);
      }
      return counts;
    },
  };
}

/** The event of a question. */
function eventOf(question: QuestionEntry): AskedCall & { readonly preview?: Json } {
  const { type: _, kind, id, path, runId, projectId, toolFingerprint, time, seal, ...shown } = question;
  return { questionId: id, ...shown };
}

function nowhereToRemember(): UtensilError {
  return new UtensilError(
    'invalid_input',
    `This run has no \`grants\` to remember an answer in: answer 'run' instead.`,
  );
}
