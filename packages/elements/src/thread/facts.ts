import { addUsage, noUsage } from '@utensil/core';
import type { Usage } from '@utensil/core';
import type { MessageView, Notice, Rows } from '../view/index.ts';

/** Which of several versions of a message is shown, from 0. */
export interface Branch {
  readonly index: number;
  readonly count: number;
}

/** Model of a turn, and what the turn used. */
export interface TurnUsage {
  readonly model: string | undefined;
  readonly tokens: number;
  /** In dollars. */
  readonly cost: number | undefined;
}

/** A message with what surrounds it. */
export interface RowFacts {
  readonly view: MessageView;
  /** The other side, or nobody, spoke before. */
  readonly startsTurn: boolean;
  /** The other side, or nobody, speaks next. */
  readonly endsTurn: boolean;
  /** The first message of those that one side said one after the other, where it is stored. */
  readonly turnId: string | undefined;
  /** Model and usage of the turn, at its end. */
  readonly usage: TurnUsage | undefined;
  /** How the run ended that it is the last message of. */
  readonly notice: Notice | undefined;
  /** Nothing follows it: what was cut short can be continued. */
  readonly isLast: boolean;
}

const longestTurn = 200; // messages that are looked at

/** What is to be known of a message to show it. */
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

/** What one side said up to a message, first to last. */
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

/** The words of messages, without what was thought and called. */
export function wordsOf(messages: readonly MessageView[]): string {
  const words = messages.flatMap(({ items }) => items.map((item) => (item.type === 'text' ? item.text : '')));
  return words.filter((text) => text !== '').join('\n\n');
}

function usageOf(turn: readonly MessageView[]): TurnUsage {
  const usage = turn.reduce<Usage>((sum, view) => (view.usage ? addUsage(sum, view.usage) : sum), noUsage);
  return { model: turn.at(-1)?.model, tokens: usage.inputTokens + usage.outputTokens, cost: usage.cost };
}

/** Whether two messages with their surroundings look the same. */
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
