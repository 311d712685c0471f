import { UtensilError } from '@utensil/core';

/** The author of a change. */
export interface Author {
  /** A user, an assistant or a program: at most 40 bytes, escaped. */
  readonly actor?: string;
  /** A group of changes to be undone together, such as a turn of the assistant: at most 60 bytes, escaped. */
  readonly turn?: string;
}

const longest = { actor: 40, turn: 60 } as const;

/**
 * Encodes an author as part of a file name. Throws `ENAMETOOLONG` if it is too long, and `EILSEQ` if it contains half
 * of a surrogate pair.
 */
export function encodeAuthor({ actor = '', turn = '' }: Author): string {
  return `${encode('actor', actor)}.${encode('turn', turn)}`;
}

function encode(what: keyof typeof longest, text: string): string {
  if (/\p{Cs}/u.test(text)) {
    throw new UtensilError('EILSEQ', `EILSEQ: not valid Unicode text. The ${what} contains half of a surrogate pair.`);
  }
  const escaped = encodeURIComponent(text).replaceAll(/[!'()*.~]/g, escapeByte);
  if (escaped.length <= longest[what]) return escaped;
  const happened = `ENAMETOOLONG: name too long. The ${what} of a change takes ${escaped.length} bytes, escaped`;
  throw new UtensilError('ENAMETOOLONG', `${happened}: use an id of at most ${longest[what]}.`);
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Decodes an author from part of a name; undefined if {@link encodeAuthor} did not write it. */
export function decodeAuthor(actor = '', turn = ''): Author | undefined {
  try {
    return toAuthor({ actor: decodeURIComponent(actor), turn: decodeURIComponent(turn) });
  } catch {
    return undefined;
  }
}

/** Copies an author without its empty fields. */
export function toAuthor({ actor = '', turn = '' }: Author): Author {
  return { ...(actor === '' ? {} : { actor }), ...(turn === '' ? {} : { turn }) };
}
