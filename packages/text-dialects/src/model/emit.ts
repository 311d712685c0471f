import type { ModelPart, ToolCall } from '@utensil/core';
import { malformed } from '../read/block.ts';
import type { ReadCall } from '../read/block.ts';
import type { Dialect, Grammar } from '../dialects/dialect.ts';
import { joinInvalid } from '../write/history.ts';
import type { ScanEvent } from '../scan/scan-event.ts';
import { isProse } from '../scan/thoughts.ts';

/** Settings of an emitter. */
export interface EmitOptions {
  /** Prefix of the call ids. */
  readonly prefix: string;
  /** One call a turn. */
  readonly isSingle: boolean;
  /** True for tools that only read: these may follow each other, and any other ends the turn. */
  readonly reads: ((name: string) => boolean) | undefined;
  /** The dialect that the model was asked for, if every other is read too: what talks of calls may then be taken for some. */
  readonly spoken?: Dialect;
  /** The dialect that the model was asked for. */
  readonly asked: Dialect;
  /** True if a text occurs in a result of the conversation. */
  isInResult(text: string): boolean;
}

/** Turns the events of a scan into the parts of a turn. */
export interface Emitter {
  emit(event: ScanEvent): readonly ModelPart[];
  /** The parts that were held back, once the input has ended. */
  end(): readonly ModelPart[];
  readonly calls: number;
  /** True if the turn is complete: the rest is not worth waiting for. */
  readonly isOver: boolean;
}

/** Calls that are held back until the turn ends, because later text may show that they are not calls. */
interface HeldBlock {
  readonly dialect: Dialect;
  readonly grammar: Grammar;
  readonly calls: ToolCall[];
  /** As the model wrote it. */
  text: string;
}

/** More blanks than this are not held back. */
const longestGap = 256;

export function createEmitter(options: EmitOptions): Emitter {
  const { prefix, isSingle, reads, spoken } = options;
  const writer = createWriter(options);
  let held: (HeldBlock | string)[] = [];
  let begun = 0; // calls, those included that turn out to be none
  let isOver = false;
  let block: HeldBlock | undefined;
  let callId = '';

  function settle(): readonly ModelPart[] {
    const items = held;
    held = [];
    return writer.write(items);
  }

  function over(isNow: boolean): readonly ModelPart[] {
    isOver ||= isNow;
    return isOver ? settle() : [];
  }

  function stops(name: string): boolean {
    const isLast = block?.dialect.after === 'stop' && (spoken === undefined || block.dialect === spoken);
    return isSingle || isLast || (reads !== undefined && !reads(name));
  }

  function begin(name: string): readonly ModelPart[] {
    const isBehind = begun > 0 && reads !== undefined && !reads(name);
    if (isBehind) return over(true); // a change after another call is dropped
    callId = `${prefix}${++begun}`;
    return [{ type: 'tool-input-start', callId, name }];
  }

  function end(text: string): readonly ModelPart[] {
    if (block !== undefined) block.text = text;
    if (isEcho(held)) held.pop();
    return [];
  }

  function hold({ name, input, problem, text }: ReadCall): readonly ModelPart[] {
    const invalid = problem === undefined ? {} : { invalidInput: joinInvalid(problem, text) };
    block?.calls.push({ type: 'tool-call', callId, name, input, executedBy: 'us', ...invalid });
    return over(stops(name));
  }

  /** Treats the held text as a thought. */
  function discard(): readonly ModelPart[] {
    const thought = held.filter((each) => typeof each === 'string').join('');
    held = [];
    return thought === '' ? [] : [{ type: 'reasoning-delta', text: thought }];
  }

  return {
    get calls() {
      return writer.calls;
    },
    get isOver() {
      return isOver;
    },
    emit(event) {
      if (isOver) return [];
      switch (event.type) {
        case 'text':
          if (held.length === 0) return writer.text(event.text);
          held.push(event.text);
          return [];
        case 'reasoning':
          return [{ type: 'reasoning-delta', text: event.text }];
        case 'block':
          block = { dialect: event.dialect, grammar: event.grammar, calls: [], text: '' };
          held.push(block);
          return [];
        case 'block-end':
          return end(event.text);
        case 'begin':
          return begin(event.name);
        case 'input':
          return [{ type: 'tool-input-delta', callId, delta: event.delta }];
        case 'call':
          return hold(event.call);
        case 'void':
          return discard();
        case 'halt':
          return over(true);
      }
    },
    end: () => [...settle(), ...writer.end()],
  };
}

/** True if the last block repeats the one before it in another form: some models write a call twice. */
function isEcho(held: readonly (HeldBlock | string)[]): boolean {
  const last = held.at(-1);
  const index = held.findLastIndex((each, at) => at < held.length - 1 && typeof each !== 'string');
  const first = held[index];
  if (typeof last !== 'object' || typeof first !== 'object' || last.grammar === first.grammar) return false;
  if (
    isProse(
      held
        .slice(index + 1, -1)
        .filter((each) => typeof each === 'string')
        .join(''),
    )
  )
    return false;
  const said = ({ calls }: HeldBlock): string => JSON.stringify(calls.map(({ name, input }) => [name, input]));
  return said(last) === said(first);
}

interface Writer {
  readonly calls: number;
  text(piece: string): readonly ModelPart[];
  write(held: readonly (HeldBlock | string)[]): readonly ModelPart[];
  end(): readonly ModelPart[];
}

/** Maximum number of calls in unrequested forms that are looked up in results. */
const mostLookedUp = 100;

/** True if the model may only be quoting: its calls have unrequested forms, and occur in the result of a tool. */
function isQuotation(held: readonly (HeldBlock | string)[], { asked, isInResult }: EmitOptions): boolean {
  const others = held.flatMap((each) => (typeof each === 'string' || each.dialect === asked ? [] : [each.text]));
  return others.length > mostLookedUp || others.some(isInResult);
}

function createWriter(options: EmitOptions): Writer {
  const { spoken, asked } = options;
  let gap = ''; // blanks that are dropped where a call follows
  let calls = 0;
  let dialect: Dialect | undefined;

  function text(piece: string): readonly ModelPart[] {
    if (calls > 0 && dialect?.after !== 'keep') return [];
    const whole = gap + piece;
    const shown = whole.trimEnd();
    const end = Math.max(shown.length, whole.length - longestGap);
    gap = whole.slice(end);
    return end === 0 ? [] : [{ type: 'text-delta', text: whole.slice(0, end) }];
  }

  return {
    get calls() {
      return calls;
    },
    text,
    write(held) {
      const isQuoted = isQuotation(held, options);
      const last = held.findLastIndex((each) => typeof each !== 'string');
      const isDoubtful = spoken !== undefined && isProse(held.slice(last + 1).join(''));
      let isClosed = false; // no call may follow
      return held.flatMap((each) => {
        if (isClosed) return [];
        if (typeof each === 'string') return text(each);
        if (isDoubtful && each.dialect !== spoken) return text(each.text);
        gap = '';
        ({ dialect } = each);
        calls += each.calls.length;
        isClosed = dialect.after === 'stop';
        const reason = isDoubtful ? doubt : isQuoted && dialect !== asked ? quotation : undefined;
        return reason === undefined ? each.calls : each.calls.map((call) => doubted(call, reason, each.text));
      });
    },
    end() {
      if (gap === '' || calls > 0) return [];
      return [{ type: 'text-delta', text: gap }];
    },
  };
}

const doubt = malformed('text follows this call, so that it may be an example. To call the tool, end with the call');

const quotation = malformed(
  'it stands in the result of a tool, so that it may be a quotation. To call the tool, write the call in the form that you were told',
);

/** A call that the model may not mean is told to it, and not run. */
function doubted(call: ToolCall, reason: string, text: string): ToolCall {
  return call.invalidInput === undefined ? { ...call, input: {}, invalidInput: joinInvalid(reason, text) } : call;
}
