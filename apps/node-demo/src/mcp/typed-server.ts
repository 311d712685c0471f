import { UtensilError } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';

/** A server as a person has typed it: a name, and an entry for the file. */
export interface TypedServer {
  readonly name: string;
  readonly entry: JsonObject;
}

const usage = '/mcp add <name> <url>, or /mcp add <name> [NAME=value …] <command …>';

/** Reads the arguments of `/mcp add`. Throws `invalid_input` with the reason; messages never repeat a value. */
export function typedServer(text: string): TypedServer {
  const [name, ...words] = splitWords(text);
  if (name === undefined || words.length === 0) throw wrong(`Give a name, and an address or a command: ${usage}`);
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw wrong(`A name has letters, digits, ".", "_" and "-", and begins with a letter or digit; got "${name}".`);
  const [first = '', ...more] = words;
  return { name, entry: /^https?:\/\//i.test(first) ? addressed(first, more) : started(words) };
}

function addressed(url: string, more: readonly string[]): JsonObject {
  if (more.length > 0) throw wrong('An address stands alone. For headers, add them to the entry in .mcp.json.');
  if (!URL.canParse(url)) throw wrong('The address is not valid.');
  const { username, password, searchParams } = new URL(url);
  if (username !== '' || password !== '')
    throw wrong('The address has a password in it. Use a header with ${NAME} in .mcp.json, or /mcp sign-in.');
  for (const [key, value] of searchParams) checkSecret(key, value);
  return { type: 'http', url };
}

const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

function started(words: readonly string[]): JsonObject {
  const isCommand = (word: string): boolean => !assignment.test(word);
  const start = words.findIndex(isCommand);
  const [command, ...args] = start === -1 ? [] : words.slice(start);
  if (command === undefined) throw wrong(`There is no command after the variables: ${usage}`);
  const env = Object.fromEntries(
    words.slice(0, start).map((word) => {
      const [, name = '', value = ''] = assignment.exec(word) ?? [];
      checkSecret(name, value);
      return [name, value];
    }),
  );
  return { command, args, ...(start > 0 && { env }) };
}

/** The file is part of the project, and may be shared. */
function checkSecret(name: string, value: string): void {
  if (!/key|token|secret|passw|auth/i.test(name) || value.includes('${')) return;
  const variable = name.toUpperCase().replaceAll(/\W/g, '_');
  throw wrong(
    `"${name}" looks like a secret, and .mcp.json is part of the project. Set a variable before you start the demo, and type ${name}=\${${variable}}.`,
  );
}

/** Words as a shell splits them: quotes keep blanks. Nothing is expanded. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /(?:[^\s"'\\]|"(?:[^"\\]|\\.)*"|'[^']*'|\\.)+/gs;
  const rest = text.replaceAll(pattern, (word) => (words.push(unquoted(word)), ''));
  if (rest.trim() !== '') throw wrong('A quote is not closed.');
  return words;
}

function unquoted(word: string): string {
  return word.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs, (part) => {
    if (part.startsWith('\\')) return part.slice(1);
    const inside = part.slice(1, -1);
    return part.startsWith('"') ? inside.replaceAll(/\\(["\\])/g, '$1') : inside;
  });
}

/** Words as a person would type them: what could mislead is in quotes. */
export function shownWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : quoted(word))).join(' ');
}

/** A value as JSON, with invisible characters and bidi controls escaped. */
export function quoted(value: Json): string {
  return JSON.stringify(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, (each) =>
    [...Array(each.length).keys()]
      .map((index) => `\\u${each.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function wrong(message: string): UtensilError {
  return new UtensilError('invalid_input', message);
}
