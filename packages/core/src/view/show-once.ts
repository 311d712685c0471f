import type { ContentPart, Message, Part } from '../message.ts';

/** Which of equal contents a request shows: the first, which keeps its beginning as it was; the newest; or each. */
export type Repeats = 'first' | 'newest' | 'all';

/** What stands where the content of `key` is shown by an earlier or a later call of this tool. */
export function repeatedText(key: string, name: string, place: 'an earlier' | 'a later'): string {
  return `>>>>> ${key} (unchanged: its content is in the result of ${place} call, ${name})\n<<<<< END`;
}

/** A message as it was last shown, and the tools that its stubs name. */
interface Shown {
  readonly tellers: string;
  readonly message: Message;
}

const shownBefore = new WeakMap<Message, Shown>();

/**
 * The messages with each content of a result once: where the same version of the same resource is in another result of
 * these very messages, a stub says in which. Another version is never hidden. With `first`, what is shown of a message
 * depends only on those before it. Whatever repeats nothing stays the same object, and a stub the one it was.
 */
export function showOnce(messages: readonly Message[], repeats: Repeats = 'first'): readonly Message[] {
  if (repeats === 'all') return messages;
  const isNewest = repeats === 'newest';
  const place = isNewest ? 'a later' : 'an earlier';
  const toolOf = new Map<string, string>(); // by resource and version, where its content is
  let tellers = '';

  function showContent(part: ContentPart, name: string): ContentPart {
    if (part.type !== 'text' || part.resource === undefined) return part;
    const { key, etag } = part.resource;
    const version = JSON.stringify([key, etag]);
    const teller = toolOf.get(version);
    tellers += `${place} ${teller ?? ''}\n`;
    if (teller !== undefined) return { type: 'text', text: repeatedText(key, teller, place) };
    toolOf.set(version, name);
    return part;
  }

  function showPart(part: Part): Part {
    if (part.type !== 'tool-result') return part;
    const modelParts = mapSame(part.modelParts, (each) => showContent(each, part.name), isNewest);
    return modelParts === part.modelParts ? part : { ...part, modelParts };
  }

  function showMessage(message: Message): Message {
    if (message.role !== 'tool') return message;
    tellers = '';
    const parts = mapSame(message.parts, showPart, isNewest);
    if (parts === message.parts) return message;
    const before = shownBefore.get(message);
    if (before?.tellers === tellers) return before.message;
    const shown = { tellers, message: { ...message, parts } };
    shownBefore.set(message, shown);
    return shown.message;
  }

  return mapSame(messages, showMessage, isNewest);
}

/** The same list where each item stays the same. */
function mapSame<Item>(items: readonly Item[], change: (item: Item) => Item, isBackwards: boolean): readonly Item[] {
  let changed: Item[] | undefined;
  for (let step = 0; step < items.length; step++) {
    const index = isBackwards ? items.length - 1 - step : step;
    const item = items[index] as Item;
    const next = change(item);
    if (next !== item) (changed ??= items.slice())[index] = next;
  }
  return changed ?? items;
}
