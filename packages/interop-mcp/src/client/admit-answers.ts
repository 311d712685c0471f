import { isSpecType, specTypeSchemas } from '@modelcontextprotocol/client';
import { isObject } from '@utensil/core';
import { admitSchema } from './bound-schema.ts';
import type { McpTransport } from './server.ts';

// The SDK rejects a whole list because of one malformed tool, and a whole result because of one unknown block. So a
// server's answers are normalized before the SDK sees them; malformed items are replaced by a description.

/** In `_meta` of an unusable tool: the reason. */
export const faultKey = 'utensil/fault';

/** In `_meta` of a tool without its output schema: the reason. */
export const outputFaultKey = 'utensil/output-fault';

/**
 * In `_meta` of a result: `structuredContent` that is not an object, which revisions before 2026-07-28 do not support.
 */
export const structuredKey = 'utensil/structured';

/** Maximum number of tools per page, more than a registry takes, and of parts in a result. Each costs us time. */
const mostTools = 10_000;
const mostParts = 1_000;

/**
 * Normalizes the messages of a transport. Call it before a client uses the transport. `tell` is called about omissions.
 */
export function tolerate(transport: McpTransport, tell: (problem: string) => void): void {
  const asked = new Map<unknown, keyof typeof orders>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const { id, method } = message as { readonly id?: unknown; readonly method?: string };
    if (id !== undefined && method !== undefined && Object.hasOwn(orders, method))
      asked.set(id, method as keyof typeof orders);
    return send(message, options);
  };
  let deliver: McpTransport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => deliver,
    set: (handler: McpTransport['onmessage']) => {
      deliver = handler && ((message, extra) => handler(ordered(message) as never, extra));
    },
  });

  function ordered(message: unknown): unknown {
    if (!isObject(message)) return message;
    const { id, result } = message;
    const method = 'method' in message ? undefined : asked.get(id);
    if (method === undefined) return message;
    asked.delete(id);
    return isObject(result) ? { ...message, result: orders[method](result, tell) } : message;
  }
}

type Loose = Readonly<Record<string, unknown>>;

const orders = {
  'tools/list': (result: Loose, tell: (problem: string) => void): Loose => {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const taken: readonly unknown[] = tools.slice(0, mostTools);
    const ordered = taken.flatMap(orderedTool);
    const nameless = taken.length - ordered.length;
    if (taken.length < tools.length) tell(`It lists ${tools.length} tools at once: only ${mostTools} are looked at.`);
    if (nameless > 0) tell(`It lists ${nameless} tools without a name, which are left out.`);
    return { ...result, tools: ordered };
  },
  'tools/call': (result: Loose): Loose => {
    const { content, structuredContent, isError } = result;
    if ('resultType' in result && result['resultType'] !== 'complete') return result; // a question
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    const isOdd = structuredContent !== undefined && !isObject(structuredContent);
    const { structuredContent: _, ...rest } = result;
    return {
      ...(isOdd ? rest : result),
      content: [
        ...blocks.slice(0, mostParts).map((block) => (isSpecType.ContentBlock(block) ? block : inPlaceOf(block))),
        ...(blocks.length > mostParts ? [{ type: 'text', text: leftOut(blocks.length) }] : []),
      ],
      ...(isError !== undefined && { isError: isError === true || isError === 'true' }),
      ...(isOdd && { _meta: { ...metaOf(result), [structuredKey]: structuredContent } }),
    };
  },
};

function metaOf({ _meta }: Loose): Loose {
  return isObject(_meta) ? _meta : {};
}

/** Tools without a name cannot even be listed as unusable. */
function orderedTool(tool: unknown): readonly unknown[] {
  const name: unknown = isObject(tool) ? tool['name'] : undefined;
  if (!isObject(tool) || typeof name !== 'string' || name === '') return [];
  const { inputSchema: given, outputSchema: _, ...rest } = tool;
  const inputSchema = admitSchema(given);
  if ('refused' in inputSchema) return [faulty(name, `its \`inputSchema\` ${String(inputSchema.refused)}.`)];
  const output = tool['outputSchema'] === undefined ? undefined : admitSchema(tool['outputSchema']);
  const isRefused = output !== undefined && 'refused' in output;
  const ordered = {
    ...rest,
    inputSchema,
    ...(output && !isRefused && { outputSchema: output }),
    ...(isRefused && { _meta: { ...metaOf(tool), [outputFaultKey]: String(output['refused']) } }),
  };
  const problem = malformed(ordered);
  return [problem === undefined ? ordered : faulty(name, problem)];
}

function faulty(name: string, fault: string): object {
  return { name, inputSchema: { type: 'object' }, _meta: { [faultKey]: fault } };
}

function malformed(tool: object): string | undefined {
  const checked = specTypeSchemas.Tool['~standard'].validate(tool);
  const issue = 'issues' in checked ? checked.issues?.[0] : undefined;
  if (issue === undefined) return undefined;
  const path = issue.path?.map((key) => String(typeof key === 'object' ? key.key : key)).join('.') ?? '';
  return `its \`${path.slice(0, 100)}\` is malformed: ${issue.message.slice(0, 200)}.`;
}

function leftOut(count: number): string {
  return `[The server sent ${count} parts: all after the first ${mostParts} are left out.]`;
}

function inPlaceOf(block: unknown): object {
  const type: unknown = isObject(block) ? block['type'] : undefined;
  const what = typeof type === 'string' ? `of the type "${type.slice(0, 50)}"` : 'without a type';
  return { type: 'text', text: `[The server sent a part ${what} that is malformed or unknown. It is left out.]` };
}
