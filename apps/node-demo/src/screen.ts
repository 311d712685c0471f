import {
  callsOf,
  type Message,
  type RunEvent,
  type RunLimit,
  type RunStatus,
  textOf,
  type ToolCallPart,
} from '@utensil/core';
import { changedLines, doneLine, inputLines, type Look, progressLine, resultLines, titleLine } from './call-lines.ts';
import { callKey } from './innermost.ts';
import { plain, plainLine, plainLines, wrap } from './plain.ts';
import type { ChangedLine } from './preview.ts';
import { type FailedTurn, retryLines } from './retry-lines.ts';
import { type Row, tableLines } from './table.ts';
import { createTranscript } from './transcript.ts';

/** Formats a conversation: each function returns the text to print next, empty if there is none. */
export interface Screen {
  /** The person starts to type a line. */
  prompt(): string;
  event(event: RunEvent): string;
  /** A whole answer, without the events before it. */
  answer(text: string): string;
  /** Changes that a call would make, below its title. */
  change(call: CallPlace, lines: readonly ChangedLine[]): string;
  /** A tool's question to the person. */
  asked(call: CallPlace, lines: readonly string[]): string;
  /** Question about a call whose outcome is unknown. */
  uncertain(call: CallPlace): string;
  /** Any other note about a call. */
  beside(call: CallPlace, text: string): string;
  /** The end of a conversation that is continued. */
  history(messages: readonly Message[]): string;
  /** A message of the program itself. */
  note(text: string): string;
  table(rows: readonly Row[]): string;
  problem(message: string): string;
}

/** Origin of a call. */
export type CallPlace = Parameters<typeof callKey>[0];

/** A call as it is shown; as the model wrote it if it never began. */
type Call = Pick<ToolCallPart, 'callId' | 'name' | 'input' | 'title' | 'icon'>;

const endings: { readonly [Status in RunStatus]?: string } = {
  aborted: 'Interrupted. To go on, type /resume in the chat.',
  'needs-approval': 'Nobody answered. To be asked again, type /resume in the chat.',
  'needs-results': 'Work goes on in the background. To wait for it, type /resume in the chat.',
  stopped: 'Stopped.',
  limit: 'A limit ended the answer.',
};

function limitText(limit: RunLimit): string {
  return limit === 'budget'
    ? 'The budget of today is used up. To go on tomorrow, or with a larger --budget, type /resume in the chat.'
    : `The limit of ${limit} is reached. The last answer:`;
}

const uncertainText = 'It had begun when the program ended: it may have been done, or not.';

const rememberedMessages = 6;

/** Functions of the session that a screen uses. */
export interface ScreenSources {
  /** Icon of a tool; questions have none. */
  iconOf?(tool: string): string | undefined;
  /** True if the answer will repeat the results of its calls, so that they are shown once. */
  repeatsResults?(): boolean;
}

/** Creates an empty screen. */
export function createScreen(look: Look, sources: ScreenSources = {}): Screen {
  const { colors } = look;
  const transcript = createTranscript();
  const calls = new Map<string, Call>();
  const shown = new Set<string>();
  let answers = 0;
  let turn: FailedTurn = { model: '', isWritten: false }; // in case it fails

  /** Lines about a call, below its title and input. If something else was printed in between, the title is repeated. */
  function about(place: CallPlace, lines: readonly string[], inFull: readonly string[] = []): string {
    const key = callKey(place);
    const call = calls.get(key);
    if (call === undefined) return transcript.block('note', lines);
    const isKnown = shown.has(key);
    shown.add(key);
    if (transcript.last === key) return transcript.block(key, lines);
    const title = titleLine(call, look);
    const head = isKnown ? [colors.dim(title)] : [colors.bold(title), ...inputLines(call.input, look, inFull)];
    return transcript.block(key, [...head, ...lines]);
  }

  function remember(runId: string, call: Call): void {
    const key = callKey({ runId, callId: call.callId });
    const icon = call.icon ?? sources.iconOf?.(call.name);
    calls.set(key, { ...calls.get(key), ...call, ...(icon !== undefined && { icon }) });
  }

  function wrapped(text: string): readonly string[] {
    return plainLines(text).flatMap((line) => wrap(line, look.columns()));
  }

  function problem(message: string): string {
    return transcript.block('problem', wrapped(`Error: ${message}`).map(colors.red));
  }

  function stream(kind: string, text: string, shown?: string): string {
    turn = { ...turn, isWritten: true };
    return transcript.stream(kind, text, shown);
  }

  function ended(event: Extract<RunEvent, { type: 'tool-end' }>): string {
    if (event.result.code === 'tool_cancelled') return about(event, [colors.yellow('  ✗ Cancelled')]);
    if (event.result.deniedBy === 'user') return about(event, [colors.yellow('  ✗ Declined')]);
    return about(event, sources.repeatsResults?.() ? [doneLine(event, look)] : resultLines(event, look));
  }

  /** State of a call, regardless of the run that made it. */
  function callEvent(event: RunEvent): string {
    switch (event.type) {
      case 'sub-run':
        return callEvent(event.event);
      case 'approval-request':
      case 'input-request':
      case 'recovery-request':
        remember(event.runId, event); // shown together with the question
        return '';
      case 'approval-answer':
      case 'input-answer':
      case 'recovery-answer':
        return '';
      case 'tool-start':
        remember(event.runId, event);
        return about(event, []);
      case 'tool-progress':
        return about(event, [progressLine(event.progress, look)]);
      case 'tool-end':
        return ended(event);
      case 'permission-ignored':
        return about(event, [colors.yellow(`  An earlier permission does not count: ${plainLine(event.reason)}`)]);
      case 'tool-late':
        return about(event, [colors.yellow('  Ended too late: its result is discarded.')]);
      case 'message':
        for (const call of callsOf(event.message)) remember(event.runId, call);
        return '';
      default:
        return '';
    }
  }

  return {
    prompt() {
      const gap = `${transcript.end()}\n`;
      transcript.interrupt('prompt');
      return gap;
    },
    event(event) {
      switch (event.type) {
        case 'text-delta':
          return stream('text', plain(event.text));
        case 'reasoning-delta':
          return stream('reasoning', plain(event.text), colors.dim(plain(event.text)));
        case 'limit':
          return transcript.block('note', [colors.yellow(limitText(event.limit))]);
        case 'step-retry':
          return transcript.block('retry', retryLines(event, turn, look));
        case 'step-start':
          turn = { model: event.model.id, isWritten: false };
          return '';
        case 'error':
          return problem(event.error.message);
        case 'run-end': {
          const ending = endings[event.status];
          return transcript.end() + transcript.block('note', ending === undefined ? [] : [colors.yellow(ending)]);
        }
        default:
          return callEvent(event);
      }
    },
    answer(text) {
      const lines = plain(text).replace(/\n+$/, '').split('\n');
      return transcript.block(`answer ${++answers}`, lines);
    },
    change: (place, lines) =>
      about(
        place,
        changedLines(lines, look),
        lines.map(({ text }) => text),
      ),
    asked: (place, lines) =>
      about(
        place,
        lines.flatMap(wrapped).map((line) => `  ${line}`),
        lines,
      ),
    uncertain: (place) => about(place, [colors.yellow(`  ${uncertainText}`)]),
    beside: (place, text) => about(place, [colors.yellow(`  ${plainLine(text)}`)]),
    history(messages) {
      const said = messages.filter(({ role, parts }) => role !== 'tool' && textOf(parts) !== '');
      return said
        .slice(-rememberedMessages)
        .map(({ id, role, parts }) => {
          const text = role === 'user' ? [colors.bold(`> ${plainLine(textOf(parts))}`)] : plainLines(textOf(parts));
          return transcript.block(id, text);
        })
        .join('');
    },
    note: (text) => transcript.block('note', wrapped(text)),
    table: (rows) =>
      transcript.block(
        'note',
        tableLines(
          rows.map(([head, text]) => [plain(head), plain(text)]),
          look.columns(),
        ),
      ),
    problem,
  };
}
