import { addUsage, noUsage } from '@utensil/core';
import type { Usage } from '@utensil/core';
import type { MessageView, Notice, Rows } from '../view/index.ts';
import { texts } from './texts.ts';

/** Which of several versions of a message is shown, from 0. */
export interface Branch {
  readonly index: number;
  readonly count: number;
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
  /** What the turn took, in words; empty where it is not known. */
  readonly usage: string;
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
    usage: endsTurn && role === 'assistant' ? usageText(turn) : '',
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

function usageText(turn: readonly MessageView[]): string {
  const usage = turn.reduce<Usage>((sum, view) => (view.usage ? addUsage(sum, view.usage) : sum), noUsage);
  const tokens = usage.inputTokens + usage.outputTokens;
  const model = turn.at(-1)?.model;
  const said = [
    ...(model === undefined ? [] : [model]),
    ...(tokens > 0 ? [texts.tokens(tokens)] : []),
    ...(usage.cost === undefined ? [] : [texts.cost(usage.cost)]),
  ];
  return said.join(' · ');
}

/** Whether two messages with their surroundings look the same. */
export function sameFacts(a: RowFacts, b: RowFacts | undefined): boolean {
  return (
    b !== undefined &&
    a.view === b.view &&
    a.startsTurn === b.startsTurn &&
    a.endsTurn === b.endsTurn &&
    a.turnId === b.turnId &&
    a.usage === b.usage &&
    a.notice === b.notice &&
    a.isLast === b.isLast
  );
}
