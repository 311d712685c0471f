// What only unions of objects need: loaded with the first of them.

import { plainObjectSchema } from '../../schema/plain-object.ts';
import type { ToolDefinition } from '../model.ts';
import { describeInput } from './describe-tool.ts';

/** Tools whose schemas are plain objects, and whose descriptions say which fields belong together. */
export function plainTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  return tools.map((tool) =>
    tool.type === 'native'
      ? tool
      : { ...tool, description: describeInput(tool), inputSchema: plainObjectSchema(tool.inputSchema) },
  );
}
