import type { ContentPart, Json, JsonObject, RunEvent, ToolCallPart } from '@utensil/core';
import type pc from 'picocolors';
import { fit, plainLine, plainLines } from './plain.ts';
import type { ChangedLine } from './preview.ts';

/** Colours and current width of the terminal. */
export interface Look {
  readonly colors: ReturnType<typeof pc.createColors>;
  columns(): number;
}

const mostResultLines = 8;
const mostChangedLines = 40;

export function titleLine(
  { name, title = name, icon = '●' }: Pick<ToolCallPart, 'name' | 'title' | 'icon'>,
  look: Look,
): string {
  return fit(`${plainLine(icon)} ${plainLine(title)}`, look.columns());
}

/** The input on one line, without the texts shown in full below it; empty if nothing is left. */
export function inputLines(input: JsonObject, look: Look, inFull: readonly string[] = []): readonly string[] {
  const below = inFull.join('\n');
  const isBelow = (value: Json): boolean =>
    [value].flat().every((each) => typeof each === 'string' && below.includes(each.trimEnd()));
  const members = Object.entries(input).flatMap(([name, value]) =>
    below !== '' && isBelow(value) ? [] : [`${name} ${inWords(value)}`],
  );
  if (members.length === 0) return [];
  return [look.colors.dim(fit(`  ${plainLine(members.join(', '))}`, look.columns()))];
}

export function progressLine(progress: Json, look: Look): string {
  return look.colors.dim(fit(`  … ${plainLine(inWords(progress))}`, look.columns()));
}

/** Result of a call: its first line with the duration, and some more lines. */
export function resultLines(
  { result, durationMs }: Extract<RunEvent, { type: 'tool-end' }>,
  look: Look,
): readonly string[] {
  const { colors } = look;
  const [first = '', ...others] = plainLines(result.modelParts.map(partText).join('\n'));
  const time = result.toolFingerprint === undefined ? '' : ` (${duration(durationMs)})`;
  if (result.isError)
    return [colors.red(`  ✗ ${first}${time}`), ...bounded(others, mostResultLines).map((line) => `    ${line}`)];
  return [
    `  ${colors.green('✓')} ${fit(first, look.columns() - 4 - time.length)}${colors.dim(time)}`,
    ...bounded(others, mostResultLines).map((line) => colors.dim(fit(`    ${line}`, look.columns()))),
  ];
}

/** Changes that a call would make. Wide lines are not truncated: nobody should allow what they cannot see. */
export function changedLines(lines: readonly ChangedLine[], { colors }: Look): readonly string[] {
  const shown = lines.map(({ sign, text }) => {
    const [line = ''] = plainLines(text);
    const paint = sign === ' ' ? colors.dim : colors[sign === '+' ? 'green' : 'red'];
    return paint(`  ${sign} ${line}`);
  });
  return bounded(shown, mostChangedLines);
}

/** As many lines as fit, and the number of those omitted. */
function bounded(lines: readonly string[], most: number): readonly string[] {
  const more = lines.length - most;
  return more > 1 ? [...lines.slice(0, most), `… ${more} more lines`] : lines;
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'resource-link':
      return `[link to ${plainLine(part.title ?? part.name)}: ${plainLine(part.uri)}]`;
    case 'audio':
      return `[${plainLine(`${part.mediaType} ${part.name ?? ''}`)}]`;
    default:
      return `[${part.mediaType}]`;
  }
}

/** Note that a call is done, if its result is shown elsewhere. */
export function doneLine({ result, durationMs }: Extract<RunEvent, { type: 'tool-end' }>, { colors }: Look): string {
  const time = colors.dim(`(${duration(durationMs)})`);
  return result.isError ? `  ${colors.red('✗')} Failed ${time}` : `  ${colors.green('✓')} Done ${time}`;
}

/** A value for people: short words unchanged, anything else as JSON. */
function inWords(value: Json): string {
  return typeof value === 'string' && /^[\w./-]+$/.test(value) ? value : JSON.stringify(value);
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
