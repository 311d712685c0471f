import { cutRulesNote } from '../ignore-rules.ts';
import { shownPath } from '../path.ts';
import { say } from '../texts.ts';
import type { FileHits, Found } from './scan.ts';

/** Options of {@link shownMatches}. */
export interface ReportOptions {
  readonly pattern: string;
  readonly output: 'content' | 'files' | 'count';
  /** Maximum number of paths. */
  readonly limit: number;
  readonly includeIgnored: boolean;
  readonly maxMegabytes: number;
}

/** Maximum number of snippets; if there are more, this smaller number is shown, followed by the files with counts. */
const [mostSnippets, fewerSnippets] = [30, 20];

const mostSummarised = 200;

/** Results of a search as shown to models. The last line is the total. */
export function shownMatches(found: Found, options: ReportOptions): string {
  const { files, lines, searched } = found;
  const notes = notesOf(found, options);
  if (files.length === 0) {
    const hint = options.includeIgnored ? '' : say('ignoredHint');
    const none = say('noMatches', { pattern: options.pattern, count: searched }) + hint;
    return [...notes, none].join('\n');
  }
  const body = bodyOf(found, options);
  const total = options.output === 'files' ? say('globStatus', { count: files.length }) : '';
  return [...body, ...notes, total === '' ? say('totalCount', { lines, files: files.length }) : total].join('\n');
}

function bodyOf(found: Found, { output, limit }: ReportOptions): readonly string[] {
  const { files } = found;
  if (output === 'files') return listed(files, limit, ({ path }) => shownPath(path));
  if (output === 'count') return listed(files, limit, counted);
  const snippets = files.flatMap(({ path, snippets: its }) => its.map((snippet) => ({ path, ...snippet })));
  const shown = snippets.map(({ path, first, last, lines }) => {
    const head = say(first === last ? 'resultHeadLine' : 'resultHead', { path: shownPath(path), first, last });
    const width = String(last).length;
    const body = lines.map((line, index) => `${String(first + index).padStart(width)} | ${line}`);
    return [head, ...body, say('resultEnd')].join('\n');
  });
  if (shown.length <= mostSnippets) return shown;
  const summary = say('manyMatches', { lines: found.lines, files: files.length });
  return [summary, ...shown.slice(0, fewerSnippets), ...listed(files, mostSummarised, counted)];
}

function counted({ path, count }: FileHits): string {
  return say('fileCount', { path: shownPath(path), count });
}

function listed(files: readonly FileHits[], limit: number, line: (file: FileHits) => string): readonly string[] {
  const lines = files.slice(0, limit).map(line);
  return files.length > limit ? [...lines, say('moreFiles', { count: files.length - limit })] : lines;
}

function notesOf({ tooLarge, unreadable, cutRules, isCut }: Found, { maxMegabytes }: ReportOptions): readonly string[] {
  const notes: string[] = [];
  if (isCut) notes.push(say('searchCut'));
  if (tooLarge.length > 0) notes.push(say('notSearchedLarge', { limit: maxMegabytes, paths: someOf(tooLarge) }));
  if (unreadable.length > 0) notes.push(say('notSearchedUnreadable', { paths: someOf(unreadable) }));
  return [...notes, ...cutRulesNote(cutRules)];
}

function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map(shownPath).join(', ');
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown;
}
