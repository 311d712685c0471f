import type { Eventually } from '../../base/eventually.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { ModelRequest, ToolDefinition } from '../model.ts';

type Tools = readonly ToolDefinition[];

/**
 * Makes requests plain: the schema of each tool is one object, without combinations at its top. A union of objects becomes an
 * object with the fields of all, and the description says which belong together. What that takes is loaded with the first union.
 */
export function plainRequests(): (request: ModelRequest) => Eventually<ModelRequest> {
  const known = new WeakMap<Tools, Tools>(); // core hands out the same list for as long as nothing changed
  return function toPlain(request) {
    const { tools } = request;
    const plain = known.get(tools) ?? (tools.every(isPlain) ? tools : undefined);
    if (plain === undefined) return lower(request);
    known.set(tools, plain);
    return plain === tools ? request : { ...request, tools: plain };
  };

  async function lower(request: ModelRequest): Promise<ModelRequest> {
    const { plainTools } = await import('./plain-tools.ts');
    const tools = plainTools(request.tools);
    known.set(request.tools, tools);
    return { ...request, tools };
  }
}

const combinations = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'] as const;

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
