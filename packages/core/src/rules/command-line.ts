/** A word of a command line, without its quotes. */
export interface Word {
  readonly text: string;
  /** The shell replaces something in it: a variable, braces, or a pattern for files. */
  readonly expands: 'nothing' | 'files' | 'anything';
}

/** A command line, as far as it can be read without running it. */
export interface CommandLine {
  /** Its simple commands, in order, however they are joined. */
  readonly commands: readonly (readonly Word[])[];
  /** Of each command: the files that the shell itself writes or reads for it. */
  readonly targets: readonly (readonly Word[])[];
  /** Part of it is code that does not stand there: a substitution, a group, a document. */
  readonly isOpaque: boolean;
  /** It writes or reads files by itself, or has a comment. */
  readonly hasRedirections: boolean;
}

const mostCharacters = 100_000;

/** Controls other than tabs and line ends, and spaces and marks that people take for others. */
const unreadable = /(?![\t\n])\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Reads a line for a POSIX shell; undefined if it is broken, or has characters that people cannot see. Takes one pass. */
export function readCommandLine(line: string): CommandLine | undefined {
  if (line.length > mostCharacters || unreadable.test(line)) return undefined;
  const commands: Word[][] = [];
  const targets: Word[][] = [];
  let words: Word[] = [];
  let files: Word[] = [];
  let word: { text: string; expands: Word['expands'] } | undefined;
  let isOpaque = false;
  let hasRedirections = false;
  let isTarget = false; // the next word is a file that is written or read
  let index = 0;

  const open = () => (word ??= { text: '', expands: 'nothing' });
  const add = (text: string): void => void (open().text += text);

  function endWord(): void {
    if (word === undefined) return;
    (isTarget ? files : words).push(word);
    isTarget = false;
    word = undefined;
  }

  function endCommand(): void {
    endWord();
    isTarget = false;
    if (words.length > 0) {
      commands.push(words);
      targets.push(files);
    }
    words = [];
    files = [];
  }

  function dollar(isQuoted: boolean): void {
    const next = line[index + 1] ?? '';
    if (next === '(' || (!isQuoted && /['"]/.test(next))) isOpaque = true;
    open().expands = 'anything';
    add('$');
  }

  /** False if the quote has no end. */
  function quoted(): boolean {
    open();
    for (index++; index < line.length; index++) {
      const character = line[index] ?? '';
      if (character === '"') return true;
      if (character === '\\' && /[$`"\\\n]/.test(line[index + 1] ?? '')) {
        index++;
        if (line[index] !== '\n') add(line[index] ?? '');
      } else if (character === '$') dollar(true);
      else if (character === '`') backtick();
      else add(character);
    }
    return false;
  }

  function backtick(): void {
    isOpaque = true;
    open().expands = 'anything';
  }

  function redirect(): void {
    const next = line[index + 1] ?? '';
    hasRedirections = true;
    if (next === '(' || (line[index] === '<' && next === '<')) isOpaque = true;
    if (/^\d*$/.test(word?.text ?? '')) word = undefined; // the number of what is redirected
    endWord();
    isTarget = true;
    if (/[<>&|]/.test(next)) index++;
  }

  const literal = (): boolean => {
    const end = line.indexOf("'", index + 1);
    if (end === -1) return false;
    add(line.slice(index + 1, end));
    index = end;
    return true;
  };

  const escaped = (): boolean => {
    index++;
    if (line[index] !== '\n') add(line[index] ?? '');
    return index < line.length;
  };

  /** Reads what begins here; false if the line is broken. */
  function read(character: string): boolean {
    if (character === "'") return literal();
    if (character === '"') return quoted();
    if (character === '\\') return escaped();
    if (character === ' ' || character === '\t') endWord();
    else if (/[\n;&|]/.test(character)) endCommand();
    else if (/[()]/.test(character)) {
      isOpaque = true;
      endCommand();
    } else if (/[<>]/.test(character)) redirect();
    else if (character === '$') dollar(false);
    else if (character === '`') backtick();
    else if (character === '#' && word === undefined) {
      hasRedirections = true; // what follows is a comment, or is not
      add(character);
    } else {
      add(character);
      if (/[{}]/.test(character)) open().expands = 'anything';
      else if (/[*?[~]/.test(character) && open().expands === 'nothing') open().expands = 'files';
    }
    return true;
  }

  for (; index < line.length; index++) if (!read(line[index] ?? '')) return undefined;
  endCommand();
  return { commands, targets, isOpaque, hasRedirections };
}
