// A model that has no tools, and writes its calls as text: over Chat Completions, as most servers speak it.
import type { Answer, AnswerBlock, WireFormat } from '@utensil/tooling-loopback/answer';
import { openaiChatWire } from '@utensil/tooling-loopback/openai-answer';

/** Calls as Hermes and Qwen write them. */
export const textWire: WireFormat = {
  ...openaiChatWire,
  encode: (answer: Answer) => openaiChatWire.encode({ ...answer, blocks: answer.blocks.map(inText) }),
};

function inText(block: AnswerBlock): AnswerBlock {
  if (block.type !== 'call') return block;
  const head = `<tool_call>\n{"name": ${JSON.stringify(block.name)}, "arguments": `;
  const input = block.deltas.length === 0 ? ['{}'] : block.deltas;
  return { type: 'text', deltas: [head, ...input, '}\n</tool_call>'] };
}

/** Names of the tools in a prompt of this dialect. */
export function namesInPrompt(request: unknown): readonly string[] {
  const { messages } = request as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const prompt = messages.find(({ role }) => role === 'system')?.content;
  const told = typeof prompt === 'string' ? prompt.matchAll(/^\{"type":"function".*\}$/gm) : [];
  return [...told].map(([line]) => (JSON.parse(line) as { function: { name: string } }).function.name);
}
