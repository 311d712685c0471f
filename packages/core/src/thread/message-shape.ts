import { isObject } from '../base/json.ts';
import type { Message, Part } from '../model/message.ts';

/** Tests a stored member. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isTextOrAbsent: Check = (value) => value === undefined || isText(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const isTextsOrAbsent: Check = (value) => value === undefined || isListOf(isText)(value);
export const isNumberOrAbsent: Check = (value) => value === undefined || typeof value === 'number';

const isOptionsOrAbsent: Check = (value) =>
  value === undefined || (isObject(value) && Object.values(value).every(isObject));

const media = {
  providerOptions: isOptionsOrAbsent,
  mediaType: isText,
  name: isTextOrAbsent,
  data: isTextOrAbsent,
  url: isTextOrAbsent,
};

const isAnyPart: Check = (part) => isPart(part);

const result = {
  callId: isText,
  name: isText,
  modelParts: /* @__PURE__ */ isListOf(isAnyPart),
  status: isTextOrAbsent,
};

/** Members of parts that are needed to show and continue a thread. */
const shapes: { readonly [Type in Part['type']]: Readonly<Record<string, Check>> } = {
  text: { text: isText, providerOptions: isOptionsOrAbsent },
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
  'provider-result': { callId: isText, name: isText },
  'tool-call': { callId: isText, name: isText, input: isObject, title: isTextOrAbsent, invalidInput: isTextOrAbsent },
  'tool-result': result,
  'late-result': { ...result, title: isTextOrAbsent },
};

/** True if a stored value is a message. Unknown kinds of parts pass, because a later version may have added them. */
export function isMessage(value: unknown): value is Message {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    ['user', 'assistant', 'tool'].includes(String(value['role'])) &&
    isListOf(isAnyPart)(value['parts'])
  );
}

/** True if a stored value is a message part, of any kind or of the given one. */
export function isPart(part: unknown, type?: Part['type']): boolean {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  const shape = Object.hasOwn(shapes, part['type']) ? shapes[part['type'] as Part['type']] : {};
  return (type === undefined || type === part['type']) && hasShape(part, shape);
}

export function hasShape(value: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, Check>>): boolean {
  return Object.entries(shape).every(([member, check]) => check(value[member]));
}
