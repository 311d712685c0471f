import { isContainer } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { admitsType } from '../walk.ts';
import { equalityKey } from './equality.ts';
import { fail } from './evaluate.ts';
import type { Assertion, Visit } from './evaluate.ts';
import type { Keywords } from './keyword.ts';
import { newWork, spend } from './work.ts';
import type { Work } from './work.ts';

/** Keywords about a value of any type, about numbers and about strings. */
export const scalarKeywords: Keywords = {
  type: {
    takes: 'one or more of "string", "number", "integer", "boolean", "object", "array", "null"',
    assert: (type: string | readonly string[]) => {
      const types = typeof type === 'string' ? [type] : type;
      return (value, visit) => types.some((each) => admitsType({ type: each }, value)) || fail(visit);
    },
  },
  const: { takes: 'anything', assert: (value: Json) => oneOf([value]) },
  enum: { takes: 'a list', assert: oneOf },
  minimum: { takes: 'a number', assert: (limit: number) => onNumbers((value) => value >= limit) },
  maximum: { takes: 'a number', assert: (limit: number) => onNumbers((value) => value <= limit) },
  exclusiveMinimum: { takes: 'a number', assert: (limit: number) => onNumbers((value) => value > limit) },
  exclusiveMaximum: { takes: 'a number', assert: (limit: number) => onNumbers((value) => value < limit) },
  multipleOf: {
    takes: 'a number above 0',
    assert: (step: number) => onNumbers((value, { work }) => isMultiple(value, step, work)),
  },
  minLength: {
    takes: 'a whole number from 0',
    assert: (least: number) => onStrings((text, { work }) => text.length >= least && lengthOf(text, work) >= least),
  },
  maxLength: {
    takes: 'a whole number from 0',
    assert: (most: number) => onStrings((text, { work }) => text.length <= most || lengthOf(text, work) <= most),
  },
  pattern: {
    takes: 'a string',
    assert: (source: string, place) => {
      const matches = place.pattern(source);
      return onStrings((text, { work }) => matches(text, work));
    },
  },
  format: {
    takes: 'a string',
    assert: (name: string, place) => {
      const isValid = place.format(name);
      if (isValid === undefined) return undefined;
      return onStrings((text, { work }) => {
        spend(work, text.length >> 3);
        return isValid(text);
      });
    },
  },
};

function onNumbers(holds: (value: number, visit: Visit) => boolean): Assertion {
  return (value, visit) => typeof value !== 'number' || holds(value, visit) || fail(visit);
}

function onStrings(holds: (text: string, visit: Visit) => boolean): Assertion {
  return (value, visit) => typeof value !== 'string' || holds(value, visit) || fail(visit);
}

/** Scalars are looked up directly; objects and arrays by a key of their whole content. */
function oneOf(allowed: readonly Json[]): Assertion {
  const scalars = new Set<unknown>(allowed); // the objects and arrays among them equal no value
  const others = new Set(allowed.filter(isContainer).map((each) => equalityKey(each, newWork())));
  return (value, visit) => {
    const isAllowed = isContainer(value)
      ? others.size > 0 && others.has(equalityKey(value, visit.work))
      : scalars.has(value);
    return isAllowed || fail(visit);
  };
}

/**
 * Computed in decimal digits, because decimal fractions have no exact quotients: 0.3 is a multiple of 0.1, although
 * 0.0075 / 0.0001 is 74.99999999999999.
 */
function isMultiple(value: number, step: number, work: Work): boolean {
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0;
  if (!Number.isFinite(value)) return false;
  spend(work, stepsOfDecimals);
  const [dividend, divisor] = [toDecimal(value), toDecimal(step)];
  const least = Math.min(dividend.exponent, divisor.exponent);
  const whole = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - least);
  return whole(dividend) % whole(divisor) === 0n;
}

/** Cost of numbers with hundreds of digits, in steps. */
const stepsOfDecimals = 16;

/** `digits` times 10 to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Length in characters; some take two code units. */
function lengthOf(text: string, work: Work): number {
  spend(work, text.length >> 3);
  let length = 0;
  for (let index = 0; index < text.length; length++) index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
  return length;
}
