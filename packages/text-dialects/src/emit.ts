import type { ModelPart } from '@utensil/core';
import type { Dialect } from './dialect.ts';
import { joinInvalid } from './history.ts';
import type { ScanEvent } from './scan-event.ts';

/** What an emitter goes by. */
export interface EmitOptions {
  /** What the ids of the calls begin with. */
  readonly prefix: string;
  /** One call a turn. */
  readonly isSingle: boolean;
  /** Which tools only read: these may follow each other, and any other ends the turn. */
  readonly reads: ((name: string) => boolean) | undefined;
}

/** Makes the parts of a turn of what is found in its text. */
export interface Emitter {
  emit(event: ScanEvent): readonly ModelPart[];
  /** What was held back, once no more comes. */
  end(): readonly ModelPart[];
  readonly calls: number;
  /** The turn has all that it may have: the rest is not worth waiting for. */
  readonly isOver: boolean;
}

/** More blanks than this are not held back. */
const longestGap = 256;

export function createEmitter({ prefix, isSingle, reads }: EmitOptions): Emitter {
  let gap = ''; // blanks that are dropped where a call follows
  let calls = 0;
  let isOver = false;
  let dialect: Dialect | undefined;
  let callId = '';

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
    get isOver() {
      return isOver;
    },
    emit(event) {
      if (isOver) return [];
      switch (event.type) {
        case 'text':
          return text(event.text);
        case 'reasoning':
          return [{ type: 'reasoning-delta', text: event.text }];
        case 'block':
          ({ dialect } = event);
          return [];
        case 'begin':
          isOver = calls > 0 && reads !== undefined && !reads(event.name); // a change behind another call is cut off
          if (isOver) return [];
          gap = '';
          callId = `${prefix}${calls + 1}`;
          return [{ type: 'tool-input-start', callId, name: event.name }];
        case 'input':
          return [{ type: 'tool-input-delta', callId, delta: event.delta }];
        case 'call': {
          const { name, input, problem, text: written } = event.call;
          calls++;
          isOver = isSingle || dialect?.after === 'stop' || (reads !== undefined && !reads(name));
          const invalid = problem === undefined ? {} : { invalidInput: joinInvalid(problem, written) };
          return [{ type: 'tool-call', callId, name, input, executedBy: 'us', ...invalid }];
        }
        case 'halt':
          isOver = true;
          return [];
      }
    },
    end() {
      if (gap === '' || calls > 0) return [];
      return [{ type: 'text-delta', text: gap }];
    },
  };
}
