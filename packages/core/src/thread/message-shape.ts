import { isObject } from '../base/json.ts';
import type { Message, Part } from '../model/message.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrAbsent: Check = (value) => value === undefined || isText(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isNumberOrAbsent: Check = (value) => value === undefined || typeof value === 'number';

const media = { mediaType: isText, name: isTextOrAbsent, data: isTextOrAbsent, url: isTextOrAbsent };

/** Members of the parts that a thread is shown and continued with. */
const shapes: { readonly [Type in Part['type']]: Readonly<Record<string, Check>> } = {
  text: { text: isText },
  reasoning: { text: isText },
  image: media,
  audio: media,
  file: media,
  'resource-link': {
    uri: isText,
    name: isText,
    title: isTextOrAbsent,
    description: isTextOrAbsent,
    mediaType: isTextOrAbsent,
    size: isNumberOrAbsent,
  },
  source: { url: isText, title: isTextOrAbsent },
  'tool-call': { callId: isText, name: isText, input: isObject, title: isTextOrAbsent, invalidInput: isTextOrAbsent },
  'tool-result': { callId: isText, name: isText, modelParts: /* @__PURE__ */ isListOf(isPart), status: isTextOrAbsent },
};

/** Whether a stored value is a message. A part of a kind that a later version may have added passes. */
export function isMessage(value: unknown): value is Message {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    ['user', 'assistant', 'tool'].includes(String(value['role'])) &&
    isListOf(isPart)(value['parts'])
  );
}

function isPart(part: unknown): boolean {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  const shape = Object.hasOwn(shapes, part['type']) ? shapes[part['type'] as Part['type']] : {};
  return Object.entries(shape).every(([member, check]) => check(part[member]));
}
