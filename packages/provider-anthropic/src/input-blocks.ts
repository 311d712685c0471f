import { type JsonObject, isObject } from '@utensil/core';

// Blocks of the server's tools as requests take them: answers may have more, which the API refuses to get back.

const result = ['type', 'tool_use_id', 'content'];
const output = ['type', 'stdout', 'stderr', 'return_code', 'content'];

/** Members that the request types allow, of a block and of the blocks in its content. */
const members: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ['code_execution_tool_result', result],
  ['code_execution_result', output],
  ['encrypted_code_execution_result', ['encrypted_stdout', ...output.filter((name) => name !== 'stdout')]],
  ['code_execution_output', ['type', 'file_id']],
  ['code_execution_tool_result_error', ['type', 'error_code']],
  ['bash_code_execution_tool_result', result],
  ['bash_code_execution_result', output],
  ['bash_code_execution_output', ['type', 'file_id']],
  ['bash_code_execution_tool_result_error', ['type', 'error_code']],
  ['text_editor_code_execution_tool_result', result],
  ['text_editor_code_execution_tool_result_error', ['type', 'error_code', 'error_message']],
]);

/** A block with only the members that a request may have. */
export function asInput<Block extends object>(block: Block): Block {
  return limited(block) as Block;
}

function limited(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(limited);
  if (!isObject(value)) return value;
  const { type, content } = value as JsonObject;
  const allowed = members.get(type);
  if (allowed === undefined) return value;
  const kept = Object.fromEntries(Object.entries(value).filter(([name]) => allowed.includes(name)));
  return { ...kept, ...(content !== undefined && { content: limited(content) }) };
}
