import { toJson } from '../base/json.ts';
import type { Schema } from '../schema/schema.ts';
import { result } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';

/** Name of the tool that returns a structured answer. */
export const answerName = 'final_answer';

/** The tool that returns a structured answer. */
export function answerTool(output: Schema): Tool {
  return {
    name: answerName,
    description:
      'Gives the final answer, in the form that is asked for. Call it once, at the end, and with no other tool.',
    input: output,
    internal: true,
    role: { type: 'final-answer' },
    effects: 'read',
    execute: (value) => result({ output: 'The answer is given.', control: { end: { value: toJson(value) } } }),
  };
}
