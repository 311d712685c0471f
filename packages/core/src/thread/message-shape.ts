import { isObject, ownMember } from '../base/json.ts';
import { hasShape, isNumber, isNumberOrAbsent, isText, isTextOrAbsent, isListOf, orAbsent } from '../base/shape.ts';
import type { Shape } from '../base/shape.ts';
import type { Message, Part } from '../model/message.ts';

const isOptionsOrAbsent = /* @__PURE__ */ orAbsent((value) => isObject(value) && Object.values(value).every(isObject));

const media = {
  providerOptions: isOptionsOrAbsent,
  mediaType: isText,
  name: isTextOrAbsent,
  data: isTextOrAbsent,
  url: isTextOrAbsent,
};

const areParts = /* @__PURE__ */ isListOf((part) => isPart(part));

const roles: readonly unknown[] = ['user', 'assistant', 'tool'] satisfies readonly Message['role'][];
const message = {
  id: isText,
  createdAt: isNumber,
  role: (role) => roles.includes(role),
  parts: areParts,
} satisfies Shape;

const result = {
  callId: isText,
  name: isText,
  modelParts: areParts,
  status: isTextOrAbsent,
};

/** Members of parts that are needed to show and continue a thread. */
const shapes: { readonly [Type in Part['type']]: Shape } = {
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
  return hasShape(value, message);
}

/** True if a stored value is a message part, of any kind or of the given one. */
export function isPart(part: unknown, type?: Part['type']): boolean {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  return (type === undefined || type === part['type']) && hasShape(part, ownMember<Shape>(shapes, part['type']) ?? {});
}
