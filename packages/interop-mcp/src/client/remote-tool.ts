import { jsonSchema, UtensilError } from '@utensil/core';
import type { Effect, JsonSchema, Tool } from '@utensil/core';
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/client';
import type { Called } from './call-tool.ts';
import { conversation } from './conversation.ts';
import { faultKey, outputFaultKey } from './admit-answers.ts';

/** Converts a tool of a server. Its annotations are only the server's word: a registry lets them tighten only. */
export function remoteTool(listed: ListedTool, called: Called): Tool {
  const { name, title, description, annotations = {}, inputSchema, outputSchema, _meta } = listed;
  const { concurrency, defer } = called.options;
  const fault = _meta?.[faultKey];
  const shownTitle = title ?? annotations.title;
  return {
    name,
    ...(shownTitle !== undefined && shownTitle !== '' && { title: shownTitle }),
    description: description ?? '',
    input: typeof fault === 'string' ? unusable(fault) : jsonSchema(inputSchema as JsonSchema),
    ...(outputSchema && { output: jsonSchema(outputSchema as JsonSchema) }),
    effects: effectOf(annotations),
    openWorld: annotations.openWorldHint ?? true,
    idempotent: annotations.idempotentHint === true,
    foreign: true,
    ...(called.identity !== undefined && { origin: called.identity }),
    ...(concurrency !== undefined && { concurrency }),
    ...(defer === true && { defer }),
    ...conversation(listed, called),
  };
}

/** Tells the app of the faults of a listed tool. */
export function tellFaults({ name, _meta }: ListedTool, { tell }: Pick<Called, 'tell'>): void {
  const [fault, outputFault] = [_meta?.[faultKey], _meta?.[outputFaultKey]];
  const shown = name.slice(0, 100);
  if (typeof fault === 'string') tell(`The tool "${shown}" cannot be used: ${fault}`);
  if (typeof outputFault === 'string')
    tell(`The output of the tool "${shown}" is not checked: its schema ${outputFault}.`);
}

function unusable(fault: string): () => never {
  return () => {
    throw new UtensilError('invalid_tool', `Its server lists an unusable definition: ${fault}`);
  };
}

/** MCP's defaults: without annotations, a tool is destructive. */
function effectOf({ readOnlyHint, destructiveHint }: ToolAnnotations): Effect {
  if (readOnlyHint === true) return 'read';
  return destructiveHint === false ? 'write' : 'destructive';
}
