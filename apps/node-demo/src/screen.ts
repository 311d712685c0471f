import { callsOf, type Message, type RunEvent, type RunStatus, textOf, type ToolCallPart } from '@utensil/core';
import { changedLines, inputLine, type Look, progressLine, resultLines, titleLine } from './call-lines.ts';
import { plain, plainLine, plainLines, wrap } from './plain.ts';
import type { ChangedLine } from './preview.ts';
import { type Row, tableLines } from './table.ts';
import { createTranscript } from './transcript.ts';

/** Shows a conversation: each function gives what is to be written next, empty where there is nothing to see. */
export interface Screen {
  /** The person writes a line now. */
  prompt(): string;
  event(event: RunEvent): string;
  /** What a call would change, below its title. */
  change(callId: string, lines: readonly ChangedLine[]): string;
  /** That nobody knows whether a call took effect. */
  uncertain(callId: string): string;
  /** The end of a conversation that is gone on with. */
  history(messages: readonly Message[]): string;
  /** What the program itself has to say. */
  note(text: string): string;
  table(rows: readonly Row[]): string;
  problem(message: string): string;
}

/** A call as it is shown; the model's own where it never began. */
type Call = Pick<ToolCallPart, 'callId' | 'name' | 'input' | 'title' | 'icon'>;

const endings: { readonly [Status in RunStatus]?: string } = {
  aborted: 'Interrupted. /resume goes on.',
  'needs-approval': 'Nobody answered. /resume asks again.',
  stopped: 'Stopped.',
  limit: 'A limit ended the answer.',
};

const uncertainText = 'It had begun when the program ended: it may have been done, or not.';

const rememberedMessages = 6;

/** A screen on which nothing stands. */
export function createScreen(look: Look): Screen {
  const { colors } = look;
  const transcript = createTranscript();
  const calls = new Map<string, Call>();
  const shown = new Set<string>();

  /** Lines about a call, below its title and input. Where something else came between, the title is repeated. */
  function about(callId: string, lines: readonly string[]): string {
    const call = calls.get(callId);
    const isKnown = shown.has(callId);
    shown.add(callId);
    if (call === undefined || transcript.last === callId) return transcript.block(callId, lines);
    const title = titleLine(call, look);
    const head = isKnown ? [colors.dim(title)] : [colors.bold(title), inputLine(call.input, look)];
    return transcript.block(callId, [...head, ...lines]);
  }

  function remember(call: Call): void {
    calls.set(call.callId, { ...calls.get(call.callId), ...call });
  }

  function wrapped(text: string): readonly string[] {
    return plainLines(text).flatMap((line) => wrap(line, look.columns()));
  }

  function problem(message: string): string {
    return transcript.block('problem', wrapped(`Error: ${message}`).map(colors.red));
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
          return transcript.stream('text', plain(event.text));
        case 'reasoning-delta':
          return transcript.stream('reasoning', plain(event.text), colors.dim(plain(event.text)));
        case 'message':
          callsOf(event.message).forEach(remember);
          return '';
        case 'approval-request':
        case 'recovery-request':
        case 'tool-start':
          remember(event);
          return about(event.callId, []);
        case 'tool-progress':
          return about(event.callId, [progressLine(event.progress, look)]);
        case 'tool-end':
          return about(event.callId, resultLines(event, look));
        case 'permission-ignored':
          return about(event.callId, [
            colors.yellow(`  a permission is stored, and does not count: ${plainLine(event.reason)}`),
          ]);
        case 'tool-late':
          return about(event.callId, [colors.yellow('  ended too late: its result is discarded')]);
        case 'limit':
          return transcript.block('note', [colors.yellow(`The limit of ${event.limit} is reached. The last answer:`)]);
        case 'error':
          return problem(event.error.message);
        case 'run-end': {
          const ending = endings[event.status];
          return transcript.end() + transcript.block('note', ending === undefined ? [] : [colors.yellow(ending)]);
        }
        default:
          return '';
      }
    },
    change: (callId, lines) => about(callId, changedLines(lines, look)),
    uncertain: (callId) => about(callId, [colors.yellow(`  ${uncertainText}`)]),
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
