import { addUsage, noUsage } from '@utensil/core';
import type { Usage } from '@utensil/core';
import type { MessageView, Notice, Rows } from '../view/index.ts';

/** Index of the shown version of a message, from 0. */
export interface Branch {
  readonly index: number;
  readonly count: number;
}

/** Model and usage of a turn. */
export interface TurnUsage {
  readonly model: string | undefined;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number | undefined;
}

/** A message with its context in the thread. */
export interface RowFacts {
  readonly view: MessageView;
  /** True if the previous message is from the other side, or missing. */
  readonly startsTurn: boolean;
  /** True if the next message is from the other side, or missing. */
  readonly endsTurn: boolean;
  /** Id of the first message in a sequence of one side, if it is stored. */
  readonly turnId: string | undefined;
  /** Model and usage, at the end of a turn. */
  readonly usage: TurnUsage | undefined;
  /** Notice for the run that ended with this message. */
  readonly notice: Notice | undefined;
  /** True for the last message: an interrupted one can be continued. */
  readonly isLast: boolean;
}

const longestTurn = 200; // maximum number of messages to inspect

/** Facts needed to render a message. */
export function factsOf(rows: Rows, index: number, notice: Notice | undefined): RowFacts | undefined {
  const view = rows.at(index);
  if (view === undefined) return undefined;
  const { role } = view;
  const endsTurn = rows.at(index + 1)?.role !== role;
  const turn = endsTurn ? turnAt(rows, index) : [view];
  return {
    view,
    startsTurn: rows.at(index - 1)?.role !== role,
    endsTurn,
    turnId: turn[0]?.id,
    usage: endsTurn && role === 'assistant' ? usageOf(turn) : undefined,
    notice: index === rows.length - 1 ? notice : undefined,
    isLast: index === rows.length - 1,
  };
}

/** Messages of one side up to an index, in order. */
export function turnAt(rows: Rows, index: number): readonly MessageView[] {
  const turn: MessageView[] = [];
  const role = rows.at(index)?.role;
  for (let at = index; at > index - longestTurn; at--) {
    const view = rows.at(at);
    if (view === undefined || view.role !== role) break;
    turn.push(view);
  }
  return turn.toReversed();
}

/** Text of messages, without reasoning and calls. */
export function wordsOf(messages: readonly MessageView[]): string {
  const words = messages.flatMap(({ items }) => items.map((item) => (item.type === 'text' ? item.text : '')));
  return words.filter((text) => text !== '').join('\n\n');
}

function usageOf(turn: readonly MessageView[]): TurnUsage {
  const usage = turn.reduce<Usage>((sum, view) => (view.usage ? addUsage(sum, view.usage) : sum), noUsage);
  return { model: turn.at(-1)?.model, tokens: usage.inputTokens + usage.outputTokens, cost: usage.cost };
}

/** True if two messages look the same in their context. */
export function sameFacts(a: RowFacts, b: RowFacts | undefined): boolean {
  return (
    b !== undefined &&
    a.view === b.view &&
    a.startsTurn === b.startsTurn &&
    a.endsTurn === b.endsTurn &&
    a.turnId === b.turnId &&
    a.usage?.model === b.usage?.model &&
    a.usage?.tokens === b.usage?.tokens &&
    a.usage?.cost === b.usage?.cost &&
    a.notice === b.notice &&
    a.isLast === b.isLast
  );
}
