import { type NativeDefinition, type ToolDefinition, UtensilError } from '@utensil/core';
import { fromWireName } from '@utensil/core/provider';

/** The tool that a model means. Some models put before it the name of the module in which they imagine it. */
export function toolName(name: string, tools: readonly ToolDefinition[]): string {
  const bare = fromWireName(name.replace(/^default_api[.:]/, ''), tools);
  return tools.some((tool) => tool.name === bare) ? bare : name;
}

/** The name under which the app has declared a tool that Google runs, else the vendor's. */
export function hostedName(kind: string, tools: readonly ToolDefinition[]): string {
  const isDeclared = (tool: ToolDefinition) =>
    tool.type === 'native' && kindsOf(tool).some((known) => plain(kind).startsWith(known));
  return tools.find(isDeclared)?.name ?? kind.toLowerCase();
}

/** A native definition as it goes onto the wire. */
export function toNative(tool: NativeDefinition): NativeDefinition['definition'] {
  if (!kindsOf(tool).includes('computeruse')) return tool.definition;
  const message = `The tool ${tool.name} cannot be Google's computer use, which calls tools of its own: define it as a function.`;
  throw new UtensilError('model_request_invalid', message);
}

/** Its names on the wire: `{ googleSearch: {} }` in one API, `{ type: 'google_search' }` in the other. */
function kindsOf({ definition }: NativeDefinition): readonly string[] {
  return [...Object.keys(definition), String(definition['type'])].map(plain);
}

function plain(kind: string): string {
  return kind.toLowerCase().replaceAll('_', '');
}
