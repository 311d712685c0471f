import { gives } from './attack.ts';
import type { Attack } from './attack.ts';

// How attacks by calls of tools are written.

const plain = `
  const plain = (value) =>
    typeof value === 'object' && value !== null
      ? [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) &&
        Object.values(Object.getOwnPropertyDescriptors(value)).every((each) => 'value' in each && plain(each.value))
      : !['function', 'symbol', 'bigint'].includes(typeof value);`;

/** Whatever a tool gives, data arrives, or an error of the guest's own. */
export const result = (kind: string): Attack =>
  gives(
    kind,
    `${plain}
    const given = await tools.give({ kind: '${kind}' }).catch((error) => (error.constructor === Error ? null : error));
    return (Array.isArray(given) || plain(given)) && {}.polluted === undefined ? 'contained' : 'found';`,
  );

export const error = (kind: string): Attack =>
  gives(
    kind,
    `try {
      await tools.fail({ kind: '${kind}' });
      return 'no error';
    } catch (error) {
      const all = [error, ...Object.getOwnPropertyNames(error).map((name) => error[name])].map(String).join();
      if (/node:|file:|\\/(?:home|tmp|root|usr)\\b|\\.ts\\b/.test(all)) return all;
      const found = error.constructor.constructor('return typeof process')();
      return error.constructor === Error && error.cause === undefined && found === 'undefined' ? 'contained' : 'escaped';
    }`,
  );

/** What is no JSON does not leave the guest. */
export const refused = (name: string, value: string): Attack =>
  gives(
    name,
    `return tools.echo({ value: ${value} }).then(() => 'crossed', (error) => (error instanceof Error ? 'contained' : 'odd'))`,
  );

/** What is no object is no input. */
export const invalid = (name: string, value: string): Attack =>
  gives(
    name,
    `return tools.echo(${value}).then(() => 'crossed', (error) => (error.code === 'invalid_input' ? 'contained' : error.message))`,
  );

/** How a value looks that has been to the host and back. */
export const arrives = (name: string, value: string, json: string): Attack =>
  gives(
    name,
    `return JSON.stringify((await tools.echo({ value: ${value} })).value) === ${JSON.stringify(json)} ? 'contained' : 'changed'`,
  );
