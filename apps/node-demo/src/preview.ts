import type { Json, JsonObject, Preview } from '@utensil/core';
import { structuredPatch } from 'diff';

/** A line of a change: removed, added, or context. */
export interface ChangedLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Number of context lines. */
const context = 2;

/** The facts a person decides on: the changes, if the tool provides a preview, else the call's long texts in full. */
export function judgedOf({ preview, input }: { readonly preview?: Json; readonly input: JsonObject }) {
  const changes = changedBy(preview);
  return changes.length > 0 ? changes : longTexts(isObject(preview) ? preview : input);
}

/** Texts that do not fit on one line: a script, a command. */
function longTexts(members: JsonObject): readonly ChangedLine[] {
  const texts = Object.values(members).filter((value) => typeof value === 'string');
  const long = texts.filter((text) => text.length > mostOnOneLine || text.includes('\n'));
  return long.flatMap((text) => text.split('\n')).map((text) => ({ sign: ' ', text }));
}

const mostOnOneLine = 40;

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Changes of a call, if its tool provides a preview. Several files each have their path above their lines. */
export function changedBy(preview: Json | undefined): readonly ChangedLine[] {
  if (!isPreview(preview)) return [];
  const { changes } = preview;
  return changes.flatMap(({ path, before = '', after = '' }) => {
    const head = changes.length > 1 ? [{ sign: ' ', text: path } as const] : [];
    return [...head, ...difference(before, after)];
  });
}

function isPreview(value: unknown): value is Preview {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'changes';
}

/** Differing lines, with context. */
export function difference(before: string, after: string): readonly ChangedLine[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context });
  const hunkLines = hunks.map(({ lines }) => lines.flatMap(toChanged));
  return hunkLines.flatMap((lines, index) => (index === 0 ? lines : [{ sign: ' ', text: '…' } as const, ...lines]));
}

/** A patch also marks the absence of a final newline. */
function toChanged(line: string): readonly ChangedLine[] {
  const [sign] = line;
  return sign === '-' || sign === '+' || sign === ' ' ? [{ sign, text: line.slice(1) }] : [];
}
