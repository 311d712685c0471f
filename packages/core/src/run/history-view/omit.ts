import { dataLength, isMedia, textLength } from '../../model/media.ts';
import type { ContentPart, Message, Part, ToolResultPart } from '../../model/message.ts';

/** In characters: a shorter result is not worth replacing by a note. */
const smallest = 1_000;

/** Replaces a result that was too large for the request. */
export function omittedText(size: string): string {
  return (
    "Tool result omitted - the total prompt exceeded the model's context limit. " +
    `It had ${size}. What the call did stands. If its result is still needed, call the tool again for a smaller part of it.`
  );
}

/**
 * Omits the largest results until at least `charactersToSave` are saved, or nothing more can be: older ones first among
 * equals, results that the model has not seen yet last. Images and files count as their data. An omitted message is the
 * same object each time; all others keep their identity.
 */
export function omitLargest(messages: readonly Message[], charactersToSave: number): readonly Message[] {
  const unseen = messages.findLastIndex(({ role }) => role === 'assistant');
  const candidates = messages
    .map((message, index) => ({ index, omitted: omit(message), saved: savedBy(message), isUnseen: index > unseen }))
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => Number(a.isUnseen) - Number(b.isUnseen) || b.saved - a.saved || a.index - b.index);
  if (charactersToSave <= 0 || candidates.length === 0) return messages;
  const shown = messages.slice();
  let left = charactersToSave;
  for (const { index, omitted, saved } of candidates) {
    if (left <= 0) break;
    shown[index] = omitted;
    left -= saved;
  }
  return shown;
}

/** Total characters of all results in these messages. */
export function resultCharacters(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + charactersOf(message), 0);
}

function savedBy(message: Message): number {
  return charactersOf(message) - charactersOf(omit(message));
}

const omittedBefore = new WeakMap<Message, Message>();

/** The message with every result omitted that is not small. */
function omit(message: Message): Message {
  if (!isResult(message)) return message;
  let omitted = omittedBefore.get(message);
  if (omitted === undefined) {
    omitted = { ...message, parts: message.parts.map(omitPart) };
    omittedBefore.set(message, omitted);
  }
  return omitted;
}

function omitPart(part: Part): Part {
  if (part.type !== 'tool-result' && part.type !== 'late-result') return part;
  if (sizeOf(part) < smallest) return part;
  return { ...part, modelParts: [{ type: 'text', text: omittedText(sizeInWords(part)) }] };
}

function isResult({ role, parts }: Message): boolean {
  return role === 'tool' || parts[0]?.type === 'late-result';
}

function sizeInWords({ modelParts }: Pick<ToolResultPart, 'modelParts'>): string {
  const text = modelParts.reduce((sum, part) => sum + textLength(part), 0);
  const media = modelParts.filter(isMedia).length;
  const words = [
    ...(text > 0 || media === 0 ? [`${text} characters`] : []),
    ...(media > 0 ? [media === 1 ? '1 image or file' : `${media} images or files`] : []),
  ];
  return words.join(' and ');
}

const sizes = new WeakMap<Message, number>();

function charactersOf(message: Message): number {
  if (!isResult(message)) return 0;
  let size = sizes.get(message);
  if (size === undefined) {
    size = message.parts.reduce((sum, part) => sum + ('modelParts' in part ? sizeOf(part) : 0), 0);
    sizes.set(message, size);
  }
  return size;
}

function sizeOf({ modelParts }: Pick<ToolResultPart, 'modelParts'>): number {
  return modelParts.reduce((sum, part) => sum + charactersIn(part), 0);
}

function charactersIn(part: ContentPart): number {
  return isMedia(part) ? dataLength(part) : textLength(part);
}
