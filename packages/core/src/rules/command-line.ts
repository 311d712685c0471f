/** A word of a command line, unquoted. */
export interface Word {
  readonly text: string;
  /** True if the shell expands something in it: a variable, braces, or a file pattern. */
  readonly expands: 'nothing' | 'files' | 'anything';
}

/** A command line, parsed as far as that is possible without running it. */
export interface CommandLine {
  /** Its simple commands, in order, regardless of how they are joined. */
  readonly commands: readonly (readonly Word[])[];
  /** Per command: files that the shell itself reads or writes through redirections. */
  readonly targets: readonly (readonly Word[])[];
  /** True if it contains code that is not visible as commands: a substitution, a group, a here-document. */
  readonly isOpaque: boolean;
  /** True if it has redirections or a comment. */
  readonly hasRedirections: boolean;
}

const mostCharacters = 100_000;

/** Controls other than tabs and line ends, and lookalikes of spaces and quotes. */
const unreadable = /(?![\t\n])\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Parses a line for a POSIX shell in one pass; undefined if it is malformed, or contains invisible characters. */
export function readCommandLine(line: string): CommandLine | undefined {
  if (line.length > mostCharacters || unreadable.test(line)) return undefined;
  const commands: Word[][] = [];
  const targets: Word[][] = [];
  let words: Word[] = [];
  let files: Word[] = [];
  let word: { text: string; expands: Word['expands'] } | undefined;
  let isOpaque = false;
  let hasRedirections = false;
  let isTarget = false; // the next word is the target of a redirection
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

  /** False if the quote is not closed. */
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
    if (/^\d*$/.test(word?.text ?? '')) word = undefined; // file descriptor of a redirection
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

  /** Parses the construct that begins here; false if the line is malformed. */
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
      hasRedirections = true; // the rest is a comment, or may be one
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
