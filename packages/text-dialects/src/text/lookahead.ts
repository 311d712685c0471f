// Bounded lookahead: each function returns the index after its target, `no` if that is not there, and `more` if only
// further text can decide. An answer other than `more` never changes when text is added. Each but `tag` returns `no` or
// `more` unchanged if given one as an index, so calls can be nested.

/** A text of which more may come. */
export interface View {
  readonly text: string;
  readonly isEnded: boolean;
}

export const no = -1;
export const more = -2;

/** Names and blanks that are longer are not markup. */
const longest = 256;

export function literal({ text, isEnded }: View, at: number, word: string): number {
  if (at < 0) return at;
  if (text.startsWith(word, at)) return at + word.length;
  const isShort = !isEnded && text.length - at < word.length;
  return isShort && word.startsWith(text.slice(at)) ? more : no;
}

/** A word that may be there twice: some models double their tokens. */
export function repeated(view: View, word: string): number {
  const end = literal(view, 0, word);
  const next = blanks(view, end);
  if (next < 0) return next === more ? more : end;
  const again = literal(view, next, word);
  return again === no ? end : again;
}

/** Blanks and line ends, any number of them. */
export function blanks(view: View, at: number): number {
  return run(view, at, isBlank);
}

export function isBlank(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}

/** A name: at least one letter, digit, or one of `_.-%`, in any language. */
export function word(view: View, at: number): number {
  const end = run(view, at, isNameChar);
  return at >= 0 && end === at ? no : end;
}

/** Names may be in any language; signs like `｜` and `▁`, of which tokens are made, are not letters. */
const letter = /[\p{L}\p{N}\p{M}]/u;

export function isNameChar(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= 'A' && char <= 'Z') ||
    (char >= '0' && char <= '9') ||
    char === '_' ||
    char === '-' ||
    char === '.' ||
    char === '%' ||
    (char > '\u00a0' && letter.test(char))
  );
}

function run({ text, isEnded }: View, at: number, fits: (char: string) => boolean): number {
  if (at < 0) return at;
  let end = at;
  while (end < text.length && end - at <= longest && fits(text.charAt(end))) end++;
  if (end - at > longest) return no;
  return end === text.length && !isEnded ? more : end;
}

/** A line end right here: `\n` or `\r\n`. The end of the text is one too. */
export function lineEnd(view: View, at: number): number {
  const { text, isEnded } = view;
  if (at < 0) return at;
  if (text.startsWith('\n', at)) return at + 1;
  if (isEnded && at === text.length) return at;
  return literal(view, at, '\r\n');
}

/** A tag of a template: its name and where it ends. */
export interface Tag {
  readonly name: string;
  readonly end: number;
}

/** The pieces of a template: text, a name, a word that is passed over, any blanks. */
const piecesOf = /\{name\}|\{id\}|\n|(?:(?!\{name\}|\{id\})[^\n])+/g;
const templates = new Map<string, readonly string[]>();

export function pieces(template: string): readonly string[] {
  const known = templates.get(template);
  if (known !== undefined) return known;
  const made = template.match(piecesOf) ?? [];
  templates.set(template, made);
  return made;
}

/** A tag such as `<tool:{name}>`, or one without a name in it. */
export function tag(view: View, at: number, template: string): Tag | typeof no | typeof more {
  if (at < view.text.length && view.text[at] !== template[0]) return no;
  let name = '';
  let end = at;
  for (const piece of pieces(template)) {
    const next = pieceEnd(view, end, piece);
    if (next < 0) return next === more ? more : no;
    if (piece === '{name}') name = view.text.slice(end, next);
    end = next;
  }
  return { name, end };
}

/** The end of a piece of a template. */
export function pieceEnd(view: View, at: number, piece: string): number {
  if (piece === '{name}' || piece === '{id}') return word(view, at);
  return piece === '\n' ? blanks(view, at) : literal(view, at, piece);
}

/** A template with its name filled in. */
export function fill(template: string, name: string): string {
  return template.replaceAll('{name}', () => name);
}

/** The text of a template before its name. */
export function beforeName(template: string): string {
  return template.split('{name}')[0] ?? '';
}

/** The opening of a template, with any name in it. */
export function firstWord(template: string): string {
  const [first = ''] = pieces(template);
  return first === '{name}' || first === '{id}' || first === '\n' ? '' : first;
}
