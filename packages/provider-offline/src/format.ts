import { type Command, escapes, joint, type Slot, slotsOf } from './grammar.ts';

/**
 * Formats a program, so that `parse` reads the same commands back. Ambiguous fields are quoted.
 *
 * @example
 * ```ts
 * import { format } from '@utensil/provider-offline';
 *
 * console.log(format([{ verb: 'write', path: 'todo.md', text: 'buy milk' }])); // write todo.md: "buy milk"
 * ```
 */
export function format(commands: readonly Command[]): string {
  return commands.map(formatCommand).join(` ${joint} `);
}

function formatCommand({ verb, ...fields }: Command): string {
  const values: Readonly<Record<string, string>> = fields;
  return [verb, ...slotsOf(verb).flatMap((slot) => formatField(slot, values[slot.field] ?? ''))].join(' ');
}

function formatField({ field, isOptional, divider }: Slot, value: string): readonly string[] {
  if (isOptional && value === '') return [];
  const isPlain = field !== 'text' && /^[\w./-]+$/.test(value) && !reserved.has(value.toLowerCase());
  const written = isPlain ? value : quote(value);
  if (divider === ':') return [`${written}:`];
  return divider === '' ? [written] : [written, divider];
}

/** Words that must be quoted. */
const reserved: ReadonlySet<string> = /* @__PURE__ */ new Set([joint, 'with', 'in', 'to']);

const letters: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  [...escapes].map(([letter, meant]) => [meant, letter]),
);

function quote(text: string): string {
  return `"${text.replaceAll(/[\n\r\t"\\]/g, (character) => `\\${letters.get(character) ?? character}`)}"`;
}
