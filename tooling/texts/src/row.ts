// A row of the table, as it stands in fixture.json, and for one tool.

import type { Json, JsonObject } from '@utensil/core';
import fixture from './fixture.json' with { type: 'json' };

/** Text, pieces of it, a piece many times, or one for each number, in place of its `#`. */
export type Text = Piece | readonly Piece[];

type Piece =
  | string
  | { readonly repeat: string; readonly times: number }
  | { readonly each: string; readonly from: number; readonly to: number };

/** What is at a path: text, bytes, a directory (null) or nothing (false). With `each`, one file for each number. */
export type Content = Text | { readonly base64: string; readonly times?: number } | null | false;

type Contents = Readonly<Record<string, Content>>;

/** One call of a tool, or a look at its prompt where there is no call, and every character of the answer. */
export interface Row {
  /** The id of the requirement that the text is of; null for what is said in words of our own. */
  readonly id: string | null;
  readonly tool: ToolName;
  /** The name of the text in the tool's source that this row shows; `prompt.` before those of the prompt. */
  readonly literal: string;
  readonly title: string;
  readonly files?: Contents;
  readonly options?: Readonly<Record<string, Json>>;
  readonly call?: JsonObject;
  readonly expected: Text;
  readonly isError?: boolean;
  /** What is at some paths after the call. */
  readonly after?: Contents;
}

export type ToolName = 'memory' | 'filesystem';

type SharedRow = Omit<Row, 'tool'> & { readonly tool: ToolName | 'both' };

const roots: Readonly<Record<ToolName, string>> = { memory: '/memories', filesystem: '/' };

/** The rows of a tool, with its root for `~`. */
export function rowsOf(tool: ToolName): readonly Row[] {
  const rows = fixture as readonly SharedRow[];
  return rows
    .filter((row) => row.tool === tool || row.tool === 'both')
    .map((row) => ({ ...(inPlace(row as unknown as Json, roots[tool]) as unknown as Row), tool }));
}

function inPlace(value: Json, root: string): Json {
  if (typeof value === 'string') return value.replaceAll('~/', root === '/' ? '/' : `${root}/`).replaceAll('~', root);
  if (Array.isArray(value)) return value.map((item: Json) => inPlace(item, root));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [inPlace(key, root), inPlace(member, root)]));
}

/** The whole text of what a row writes in pieces. */
export function wholeText(text: Text): string {
  return (Array.isArray(text) ? (text as readonly Piece[]) : [text as Piece]).map(wholePiece).join('');
}

function wholePiece(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('repeat' in piece) return piece.repeat.repeat(piece.times);
  return numbers(piece)
    .map((number) => piece.each.replaceAll('#', number))
    .join('');
}

/** The numbers of a piece with `each`. */
export function numbers({ from, to }: { readonly from: number; readonly to: number }): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}
