import { UtensilError } from '@utensil/core';
import type { FunctionDefinition, JsonSchema, Tool, ToolDefinition, Toolset } from '@utensil/core';
import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** A tool as listed for clients. */
export interface ServedTool {
  readonly name: string;
  readonly hasOutput: boolean;
  readonly listed: {
    readonly title?: string;
    readonly description: string;
    readonly inputSchema: PlainSchema;
    readonly outputSchema?: PlainSchema;
    readonly annotations: ToolAnnotations;
  };
}

/** A Standard Schema that accepts everything: the toolset validates, repairs and explains. */
interface PlainSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

const known = new WeakMap<readonly ToolDefinition[], readonly ServedTool[]>();

/**
 * Tools of a toolset that a client can call, sorted by name: the same array while nothing has changed. Excludes names
 * that the SDK confuses with members of every object, and reports them to `onError`.
 */
export function servedTools(toolset: Toolset, onError?: (error: Error) => void): readonly ServedTool[] {
  const definitions = toolset.definitions({ api: 'mcp', supports: { deferredTools: true } });
  const before = known.get(definitions);
  if (before !== undefined) return before;
  const tools = definitions.flatMap((definition) => {
    const tool = toolset.tool(definition.name);
    const isServed = definition.type === 'function' && tool?.execute !== undefined; // otherwise the client would have to answer
    if (isServed && definition.name in Object.prototype) onError?.(unfit(definition.name));
    return isServed && !(definition.name in Object.prototype) ? [servedTool(definition, tool)] : [];
  });
  known.set(definitions, tools);
  return tools;
}

function unfit(name: string): UtensilError {
  const problem = `Tool "${name}" is not served: MCP servers cannot have a tool of that name. Give it another one.`;
  return new UtensilError('invalid_tool', problem);
}

function servedTool({ name, description, inputSchema }: FunctionDefinition, tool: Tool): ServedTool {
  const { title, input, output } = tool;
  const { $schema } = ('~standard' in input ? schemaOf(input) : undefined) ?? {}; // definitions omit it
  const outputSchema = output && schemaOf(output);
  return {
    name,
    hasOutput: outputSchema !== undefined,
    listed: {
      ...(title !== undefined && { title }),
      description,
      inputSchema: plainSchema($schema === undefined ? inputSchema : { $schema, ...inputSchema }),
      ...(outputSchema && { outputSchema: plainSchema(outputSchema) }),
      annotations: annotationsOf(tool),
    },
  };
}

/**
 * Always sends all four hints, because clients assume the worst of an absent one. An effect that depends on the input
 * counts as its worst.
 */
function annotationsOf({ effects, idempotent = false, openWorld = false }: Tool): ToolAnnotations {
  return {
    readOnlyHint: effects === 'read',
    destructiveHint: effects !== 'read' && effects !== 'write',
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}

/** JSON Schema of a schema; undefined if its library cannot express it. The toolset validates anyway. */
function schemaOf(schema: NonNullable<Tool['output']>): JsonSchema | undefined {
  try {
    return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonSchema;
  } catch {
    return undefined;
  }
}

function plainSchema(schema: JsonSchema): PlainSchema {
  const validate = (value: unknown) => ({ value });
  return {
    '~standard': {
      version: 1,
      vendor: 'utensil',
      validate,
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
