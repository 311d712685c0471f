import { ownMember } from '../base/json.ts';
import { readCommandLine } from './command-line.ts';
import type { CommandLine, Word } from './command-line.ts';
import { allOf, anyOf } from './matcher.ts';
import type { Match, Matcher, Strictness } from './matcher.ts';
import { textPattern } from './text-pattern.ts';

/** Commands and shell keywords that run what their arguments say. Programs started by them are not analyzed further. */
const runners: ReadonlySet<string> = new Set(
  (
    '. ! [[ alias ash at bash batch builtin busybox case chpst chroot cmd command coproc csh dash do doas elif ' +
    'else entr env eval exec fish flock for function hash if ionice ksh ltrace nice nohup nsenter parallel pkexec ' +
    'powershell pwsh runuser screen script select setpriv setsid sh source ssh stdbuf strace su sudo systemd-run ' +
    'tcsh then time timeout tmux toybox trap unshare until watch while xargs zsh'
  ).split(' '),
);

/** Commands, without version suffixes, that do so only with an argument of this form. */
const runnersWith: Readonly<Record<string, RegExp>> = {
  awk: /system\s*\(|\|&?\s*(?:"|getline)/,
  bun: /^(?:-e|-p|--eval|--print)/,
  deno: /^eval$/,
  find: /^-(?:exec|ok)/,
  gawk: /system\s*\(|\|&?\s*(?:"|getline)/,
  git: /^alias\./i,
  lua: /^-e/,
  node: /^(?:-e|-p|--eval|--print)/,
  osascript: /^-e/,
  perl: /^-\w*e/i,
  php: /^-r/,
  python: /^-\w*c/,
  rsync: /^(?:-\w*e|--rsh)/,
  ruby: /^-\w*e/,
  tar: /^--(?:to-command|checkpoint-action|use-compress-program)|^-\w*I/,
};

const version = /(?<![\d.])[\d.]+$/;

/** Maximum number of words after a runner at which its command may begin. */
const mostPrefixes = 8;

const assignment = /^[A-Za-z_]\w*\+?=/;

/** Matches command lines. See `RuleCondition.command`. */
export function commandMatcher(patterns: readonly string[], { isStrict }: Strictness): Matcher {
  const read = patterns.map((pattern) => pattern.trim().split(/\s+/).join(' '));
  if (isStrict) return strictMatcher(read.map(textPattern));
  const whole = read.map((pattern) => partsOf(pattern).map((part) => anyMatcher(toBroad(part))));
  return (value) => {
    const line = readCommandLine(value);
    return line === undefined ? 'unknown' : anyOf(whole.map((parts) => allOf(parts.map((match) => match(line)))));
  };
}

function strictMatcher(patterns: readonly ((text: string) => boolean)[]): Matcher {
  function matchCommand(words: readonly Word[]): Match {
    const isKnown = words.every(({ expands }, index) => expands === 'nothing' || (index > 0 && expands === 'files'));
    if (!isKnown) return 'unknown';
    const text = words.map(shown).join(' ');
    return patterns.some((fits) => fits(text)) ? 'yes' : 'no';
  }

  return (value) => {
    const line = readCommandLine(value);
    if (line === undefined || line.isOpaque || line.hasRedirections) return 'unknown';
    return line.commands.length === 0 ? 'no' : allOf(line.commands.map(matchCommand));
  };
}

/** A quoted word with a space is one word, not two. */
function shown({ text }: Word): string {
  return /^[^\s'"\\]+$/.test(text) ? text : `'${text}'`;
}

/** A pattern of a `deny` or an `ask`. */
interface BroadPattern {
  readonly fits: (text: string) => boolean;
  /** The words that a command has in this order, with options among them. */
  readonly words: readonly BroadWord[];
}

interface BroadWord {
  readonly fits: (text: string) => boolean;
  /** Any words may come before it. */
  readonly isFar: boolean;
}

function toBroad(pattern: string): BroadPattern {
  const text = pattern.toLowerCase();
  const forms = [text, ...(text.endsWith(' *') ? [text.slice(0, -2)] : [])].map(textPattern);
  const all = text.split(' ');
  const words = all.flatMap((word, at): BroadWord[] => {
    const isFar = word.startsWith('*') || (all[at - 1]?.endsWith('*') ?? false);
    return word === '*' ? [] : [{ fits: textPattern(word), isFar }];
  });
  return { fits: (given) => forms.some((fits) => fits(given)), words };
}

/**
 * The commands of a pattern that is a whole line, such as `curl * | sh`: a line concerns the pattern if it has all of
 * them. Redirections are left out: commands with any redirection may be meant.
 */
function partsOf(pattern: string): readonly string[] {
  const parts = pattern.split(/[;&|]/).map((part) => part.replace(/\s*\d*[<>].*$/, ' *').trim());
  const named = parts.filter((part) => part !== '');
  return named.length === 0 ? [pattern] : named;
}

function anyMatcher(pattern: BroadPattern): (line: CommandLine) => Match {
  function matchCommand(given: readonly Word[], targets: readonly Word[]): Match {
    const start = given.findIndex(({ text }) => !assignment.test(text));
    const words = start === -1 ? [] : given.slice(start);
    const [first] = words;
    if (first === undefined) return 'no';
    if (isOne(pattern, words)) return 'yes';
    if (isRunner(programOf(first), words)) {
      const starts = Array.from({ length: Math.min(mostPrefixes, words.length) }, (_, at) => words.slice(at + 1));
      return starts.some((each) => isOne(pattern, each)) ? 'yes' : 'unknown';
    }
    if (first.expands !== 'nothing') return 'unknown';
    const whole = targets.length === 0 ? words : [...words, ...targets]; // `cat < a` is much like `cat a`
    return mayBe(pattern, whole) || (whole !== words && isOne(pattern, whole)) ? 'unknown' : 'no';
  }

  return ({ commands, targets, isOpaque, hasRedirections }) => {
    const matches = commands.map((command, at) => matchCommand(command, targets[at] ?? []));
    return anyOf(isOpaque || (hasRedirections && commands.length === 0) ? [...matches, 'unknown'] : matches);
  };
}

function isOne({ fits }: BroadPattern, words: readonly Word[]): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return false;
  const tail = rest
    .map(({ text }) => ` ${text}`)
    .join('')
    .toLowerCase();
  return [first.text.toLowerCase(), programOf(first)].some((head) => fits(head + tail));
}

/** True if a command without its options matches the pattern, or may do so after the shell's expansions. */
function mayBe({ words: [program, ...wanted] }: BroadPattern, [first, ...given]: readonly Word[]): boolean {
  if (program === undefined || first === undefined || !program.fits(programOf(first))) return false;
  if (given.some(({ expands }) => expands === 'anything')) return true;
  let next = 0;
  let mayBeValue = false; // value of an option
  for (const { text, expands } of given) {
    const word = wanted[next];
    if (word?.fits(text.toLowerCase()) === true) next++;
    else if (word !== undefined && expands === 'files') return true; // some file may have this name
    else if (!text.startsWith('-') && !mayBeValue && word?.isFar !== true) break;
    mayBeValue = text.startsWith('-');
  }
  return next === wanted.length;
}

function isRunner(program: string, words: readonly Word[]): boolean {
  const name = program.replace(version, '');
  const needed = ownMember(runnersWith, name);
  return runners.has(program) || (needed !== undefined && words.some(({ text }) => needed.test(text)));
}

/** `/usr/bin/Git` becomes `git`. */
function programOf({ text }: Word): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}
