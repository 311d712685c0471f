import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { Tool } from '../tool/tool.ts';

const titleLength = 50;

/** Title of a call, for people: from the tool's template or function, else the tool's title. At most 50 characters. */
export function titleOf(tool: Tool, input: JsonObject): string {
  const fallback = tool.title ?? tool.name;
  const { title } = tool.render ?? {};
  if (title === undefined) return cut(fallback);
  try {
    return cut(typeof title === 'string' ? fillIn(title, input) : title(input)) || cut(fallback);
  } catch {
    return cut(fallback); // it expected another input
  }
}

/** Fills in a template such as `Read {path}`; an array becomes `first and 2 more`. */
function fillIn(template: string, input: JsonObject): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, field: string) => inWords(input[field] ?? null)).trim();
}

function inWords(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  const [first = null, ...others] = value as readonly Json[];
  return others.length === 0 ? inWords(first) : `${inWords(first)} and ${others.length} more`;
}

/** A text on one line, truncated to 50 characters. */
export function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= titleLength) return line;
  const characters = [...line];
  return characters.length <= titleLength ? line : `${characters.slice(0, titleLength - 1).join('')}…`;
}

/** A JSON value as text for the model: strings unchanged, everything else as JSON. */
export function toText(output: Json): string {
  if (output === null || output === '') return '(no output)';
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Parts of an output for the model. */
export function modelPartsOf(tool: Tool, output: Json): readonly ContentPart[] {
  const shown = tool.render?.model?.(output) ?? toText(output);
  return typeof shown === 'string' ? [{ type: 'text', text: shown }] : shown;
}

/** Parts that are not empty: the given ones, or a note that there is nothing. */
export function neverEmpty(parts: readonly ContentPart[]): readonly ContentPart[] {
  const isShown = parts.some((part) => part.type !== 'text' || part.text !== '');
  return isShown ? parts : [{ type: 'text', text: toText(null) }];
}
