import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';

/** A turn of user or assistant, which may be made of several messages. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/**
 * The turns without unanswered calls of server tools: the API refuses these after a further user message. In an open
 * turn, at the end or followed only by our results, the server resumes them.
 */
export function withoutLostCalls(turns: readonly Turn[]): Turn[] {
  const answered = new Set(turns.flatMap(({ content }) => content.flatMap(answerIn)));
  return turns.flatMap((turn, index): Turn[] => {
    const isLost = (block: ContentBlockParam): boolean => block.type === 'server_tool_use' && !answered.has(block.id);
    if (isOpen(turns, index) || !turn.content.some(isLost)) return [turn];
    const content = turn.content.filter((block) => !isLost(block));
    return [{ ...turn, content: content.length > 0 ? content : [{ type: 'text', text: '(no answer)' }] }];
  });
}

function answerIn(block: ContentBlockParam): readonly string[] {
  return 'tool_use_id' in block && block.type !== 'tool_result' ? [block.tool_use_id] : [];
}

function isOpen(turns: readonly Turn[], index: number): boolean {
  const behind = turns.slice(index + 1);
  return (
    behind.length === 0 ||
    (behind.length === 1 && behind[0]?.content.every(({ type }) => type === 'tool_result') === true)
  );
}

/**
 * True if the current exchange began without a thought: it was truncated before the signature, or written by another
 * model. The API refuses to think on a budget within such an exchange.
 */
export function beganWithoutThought(turns: readonly Turn[]): boolean {
  const asked = turns.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const begun = turns.slice(asked + 1).find(({ role }) => role === 'assistant');
  return begun !== undefined && begun.content[0]?.type.endsWith('thinking') !== true;
}

/** Number of blocks before a mark in which the API looks for cached content. */
const lookback = 20;

/** The turns, with a mark where the request before ended, if that is too far from the end for the API to find it. */
export function withFarMark(turns: Turn[]): Turn[] {
  const last = turns.findLastIndex(({ role }, index) => role === 'user' && index < turns.length - 1);
  const behind = turns.slice(last + 1).reduce((sum, { content }) => sum + content.length, 0);
  if (last < 0 || behind < lookback) return turns;
  return turns.map((turn, index) => (index === last ? { ...turn, content: markedEnd(turn.content) } : turn));
}

const unmarkable = /^(?:redacted_)?thinking$/;

/** The messages, with a mark on the last block that may have one. */
export function withEndMark(messages: readonly MessageParam[]): MessageParam[] {
  const last = messages.at(-1);
  if (last === undefined) return [];
  const { content } = last;
  const blocks: ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const end = blocks.at(-1);
  if (end === undefined || unmarkable.test(end.type)) return [...messages];
  return [...messages.slice(0, -1), { ...last, content: markedEnd(blocks) } as MessageParam];
}

function markedEnd(content: ContentBlockParam[]): ContentBlockParam[] {
  const end = content.at(-1) as ContentBlockParam;
  return [...content.slice(0, -1), { ...end, cache_control: { type: 'ephemeral' } } as ContentBlockParam];
}
