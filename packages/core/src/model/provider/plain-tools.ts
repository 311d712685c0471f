// Needed by unions of objects only; loaded with the first one.

import { plainObjectSchema } from '../../schema/plain-object.ts';
import type { ToolDefinition } from '../model.ts';
import { describeInput } from './describe-tool.ts';

/** Tools with plain object schemas, and descriptions that say which fields belong together. */
export function plainTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  return tools.map((tool) =>
    tool.type === 'native'
      ? tool
      : { ...tool, description: describeInput(tool), inputSchema: plainObjectSchema(tool.inputSchema) },
  );
}
