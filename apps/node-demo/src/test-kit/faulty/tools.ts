import {
  type Tool,
  type Toolset,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
} from '@utensil/core';

/** A tool that takes a note, and says that it is done. */
export function toolNamed(name: string, more: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: jsonSchema({ type: 'object', properties: { note: { type: 'string' } }, required: ['note'] }),
    effects: 'read',
    execute: () => `${name} is done.`,
    ...more,
  });
}

export function toolsetOf(...tools: readonly Tool[]): Toolset {
  return resolveToolset(createRegistry(tools), emptySettings, {});
}
