import { isObject } from './json.ts';

/** Tests a stored value. */
export type Check = (value: unknown) => boolean;

/** The members that a stored object needs, each with its test. */
export type Shape = Readonly<Record<string, Check>>;

/** True if a value is an object of this shape. It may have other members. */
export function hasShape(value: unknown, shape: Shape): value is Record<string, unknown> {
  return isObject(value) && Object.entries(shape).every(([member, check]) => check(value[member]));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** True for a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export function orAbsent(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export const isTextOrAbsent = /* @__PURE__ */ orAbsent(isText);
export const isNumberOrAbsent = /* @__PURE__ */ orAbsent(isNumber);
export const isTexts = /* @__PURE__ */ isListOf(isText);
export const isTextsOrAbsent = /* @__PURE__ */ orAbsent(isTexts);
