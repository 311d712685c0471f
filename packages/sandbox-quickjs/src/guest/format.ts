import type { Kit } from './kit.ts';

/**
 * Formats values and errors: strings verbatim, objects as JSON, and values that JSON cannot represent in a notation of
 * our own.
 */
export function guestFormat(kit: Kit): void {
  const { stringify } = JSON;
  const { from } = Array;
  const { isView } = ArrayBuffer;
  const objectToString = Object.prototype.toString;
  const most = 1000;

  const bytesOf = (buffer: ArrayBuffer): Uint8Array => new Uint8Array(buffer);

  /** The first elements of a list, and the number of the rest. */
  const some = (list: ArrayLike<unknown>): unknown[] => {
    const shown = from({ length: Math.min(list.length, most) }, (_, index) => list[index]);
    if (list.length > most) shown.push(`… ${list.length - most} more`);
    return shown;
  };

  const headOf = (error: Error): string => {
    const { name, message } = error;
    return message === '' ? name : `${name}: ${message}`;
  };

  /** Representation of an object that JSON would show as `{}` or omit. */
  const standIn = (value: object): unknown => {
    if (value instanceof Map) return { [`Map(${value.size})`]: some([...value]) };
    if (value instanceof Set) return { [`Set(${value.size})`]: some([...value]) };
    if (value instanceof ArrayBuffer) return { [`ArrayBuffer(${value.byteLength})`]: some(bytesOf(value)) };
    if (value instanceof DataView)
      return { [`DataView(${value.byteLength})`]: some(bytesOf(value.buffer as ArrayBuffer)) };
    if (isView(value)) {
      const list = value as Uint8Array;
      return {
        [`${list.constructor.name}(${list.length})`]: some(
          from(list, (each: unknown) => (typeof each === 'bigint' ? `${each}` : each)),
        ),
      };
    }
    if (value instanceof Error) return headOf(value);
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return { Promise: {} };
    return value;
  };

  const asJson = (value: unknown): string | undefined => {
    /** Ancestors of the current object: the originals and their representations. */
    const above: { readonly value: object; readonly shown: unknown }[] = [];
    const replace = function (this: unknown, _key: string, each: unknown): unknown {
      if (typeof each === 'bigint') return `${each}`;
      if (typeof each !== 'object' || each === null) return each;
      while (above.length > 0 && above[above.length - 1]?.shown !== this) above.pop();
      for (const { value: one } of above) if (one === each) return '[Circular]';
      const shown = standIn(each);
      above.push({ value: each, shown });
      return shown;
    };
    return stringify(value, replace, 2);
  };

  const showObject = (value: object): string => {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Error) return explain(value);
    const text = asJson(value);
    return text === undefined ? 'undefined' : text;
  };

  const show = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value === 'symbol') return '(no output)';
    try {
      if (typeof value === 'function') return `[Function: ${value.name || 'anonymous'}]`;
      return typeof value === 'object' && value !== null ? showObject(value) : String(value);
    } catch (error) {
      return `[${kindOf(value)} that cannot be shown: ${reasonOf(error)}]`;
    }
  };

  const kindOf = (value: unknown): string => {
    try {
      return objectToString.call(value);
    } catch {
      return 'An object';
    }
  };

  const reasonOf = (error: unknown): string => {
    try {
      return error instanceof Error ? headOf(error) : String(error);
    } catch {
      return 'it throws';
    }
  };

  /** Stack positions of an error, without internal lines. The wrapper precedes the first line of the script. */
  const placesOf = (error: Error): string => {
    const stack: unknown = error.stack;
    if (typeof stack !== 'string') return '';
    const lines = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/\(?\bsandbox(?::\d+)*\)?$/.test(line));
    while (lines.at(-1)?.endsWith('(native)') === true) lines.pop();
    const { shift } = kit;
    return lines
      .slice(0, 10)
      .map(
        (line) =>
          `\n${line.replace(/\bscript\.js:1:(\d+)/, (_, column: string) => `script.js:1:${Math.max(1, +column - shift)}`)}`,
      )
      .join('');
  };

  const explain = (thrown: unknown): string => {
    try {
      if (!(thrown instanceof Error)) return show(thrown);
      return headOf(thrown) + placesOf(thrown);
    } catch (error) {
      return `[an error that cannot be shown: ${reasonOf(error)}]`;
    }
  };

  kit.show = show;
  kit.explain = explain;
}
