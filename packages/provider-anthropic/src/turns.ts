import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';

/** A turn of user or assistant, which may be made of several messages. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/**
 * The turns without calls of the server's tools that were never answered: the API refuses them once the user has gone on.
 * While the turn is still open, at the end or with results of ours alone behind it, the server goes on with them.
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
 * Whether the exchange that is going on began without a thought: it broke off before that was signed, or another model
 * wrote it. The API refuses to think on a budget in the midst of such a one.
 */
export function beganWithoutThought(turns: readonly Turn[]): boolean {
  const asked = turns.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const begun = turns.slice(asked + 1).find(({ role }) => role === 'assistant');
  return begun !== undefined && begun.content[0]?.type.endsWith('thinking') !== true;
}

/** The API looks back by so many blocks from a mark for what it has kept. */
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
