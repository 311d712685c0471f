import type { Eventually } from '../../base/eventually.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { ModelRequest, ToolDefinition } from '../model.ts';
import { getOrInsert } from '../../base/memoize.ts';

type Tools = readonly ToolDefinition[];

/**
 * Simplifies requests: the schema of each tool becomes a single object without combinators at the top. A union of
 * objects becomes an object with all fields, and the description says which belong together. The code for unions is
 * loaded with the first one.
 */
export function plainRequests(): (request: ModelRequest) => Eventually<ModelRequest> {
  const known = new WeakMap<Tools, Tools | undefined>(); // core passes the same array as long as nothing changed
  return function toPlain(request) {
    const tools = getOrInsert(known, request.tools, ifPlain);
    if (tools === undefined) return lower(request);
    return tools === request.tools ? request : { ...request, tools };
  };

  async function lower(request: ModelRequest): Promise<ModelRequest> {
    const { plainTools } = await import('./plain-tools.ts');
    const tools = Object.freeze(plainTools(request.tools));
    known.set(request.tools, tools);
    return { ...request, tools };
  }
}

const combinations = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'] as const;

function ifPlain(tools: Tools): Tools | undefined {
  return tools.every(isPlain) ? tools : undefined;
}

function isPlain(tool: ToolDefinition): boolean {
  return tool.type === 'native' || isPlainObject(tool.inputSchema);
}

function isPlainObject(schema: JsonSchema): boolean {
  return (
    schema['type'] === 'object' &&
    schema['properties'] !== undefined &&
    combinations.every((keyword) => schema[keyword] === undefined)
  );
}
