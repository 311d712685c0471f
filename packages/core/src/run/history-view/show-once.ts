import type { ContentPart, Message, Part } from '../../model/message.ts';

/**
 * Copy of equal contents that a request shows: the `first`, so that its beginning stays the same; the `newest`; or
 * `all`.
 */
export type Repeats = 'first' | 'newest' | 'all';

/** Replaces a content that an earlier or later call of this tool shows. */
function repeatedText(key: string, name: string, place: 'an earlier' | 'a later'): string {
  return `>>>>> ${key} (unchanged: its content is in the result of ${place} call, ${name})\n<<<<< END`;
}

/**
 * Shows each content of a result once: if the same version of the same resource is in another of these results, a stub
 * refers to it. Another version is never hidden. With `first`, the shown form of a message depends on earlier messages
 * only. Messages without repetitions keep their identity, and stubs are the same object each time.
 */
export function showOnce(messages: readonly Message[], repeats: Repeats = 'first'): readonly Message[] {
  return createOnceView(repeats)(messages);
}

/**
 * The same for a growing history: with `first`, each message is examined once, and the array is unchanged if nothing is
 * repeated.
 */
export function createOnceView(repeats: Repeats = 'first'): (messages: readonly Message[]) => readonly Message[] {
  if (repeats === 'all') return (messages) => messages;
  return repeats === 'first' ? createFirstView() : showNewest;
}

function createFirstView(): (messages: readonly Message[]) => readonly Message[] {
  let show = createShow('an earlier');
  let stubs = new Map<number, Message>(); // keyed by position
  let known = 0;
  let last: Message | undefined; // number of examined messages

  return function showFirst(messages) {
    if (messages[known - 1] !== last) {
      show = createShow('an earlier');
      stubs = new Map();
      known = 0;
    }
    for (; known < messages.length; known++) {
      const message = messages[known] as Message;
      const shown = show(message);
      if (shown !== message) stubs.set(known, shown);
    }
    last = messages[known - 1];
    return stubs.size === 0 ? messages : messages.map((message, index) => stubs.get(index) ?? message);
  };
}

function showNewest(messages: readonly Message[]): readonly Message[] {
  return messages.some(hasResource) ? messages.toReversed().map(createShow('a later')).toReversed() : messages;
}

function hasResource({ role, parts }: Message): boolean {
  return role === 'tool' && parts.some((part) => part.type === 'tool-result' && part.modelParts.some(isResource));
}

function isResource(part: ContentPart): boolean {
  return part.type === 'text' && part.resource !== undefined;
}

const stubbed = new WeakMap<Message, { readonly said: string; readonly message: Message }>();

/** Examines one message after another. */
function createShow(place: 'an earlier' | 'a later'): (message: Message) => Message {
  const toolOf = new Map<string, string>(); // by resource and version: position of its content
  let said: string; // by stubs of a message
  let isSame: boolean;

  function showContent(part: ContentPart, name: string): ContentPart {
    if (part.type !== 'text' || part.resource === undefined) return part;
    const { key, etag } = part.resource;
    const version = JSON.stringify([key, etag]);
    const teller = toolOf.get(version);
    toolOf.set(version, teller ?? name);
    said += `${teller},`;
    if (teller === undefined) return part;
    isSame = false;
    return { type: 'text', text: repeatedText(key, teller, place) };
  }

  function showPart(part: Part): Part {
    if (part.type !== 'tool-result') return part;
    const modelParts = part.modelParts.map((each) => showContent(each, part.name));
    return isSame ? part : { ...part, modelParts };
  }

  return function show(message) {
    if (!hasResource(message)) return message;
    said = place;
    isSame = true;
    const parts = message.parts.map(showPart);
    if (isSame) return message;
    const before = stubbed.get(message);
    if (before?.said === said) return before.message;
    const shown = { ...message, parts };
    stubbed.set(message, { said, message: shown });
    return shown;
  };
}
