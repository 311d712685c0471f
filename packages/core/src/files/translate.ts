import { UtensilError, isUtensilError } from '../base/errors.ts';
import { hasBatch } from './batching.ts';
import type { BatchFiles } from './batching.ts';
import { quotePath } from './file-error.ts';
import type { FileEntry, Files, FileListing } from './files.ts';
import { isWithin, resolvePath } from './paths.ts';
import { hasTaint, observable, seenBy } from './taint/observer.ts';
import type { FilesObserver } from './taint/observer.ts';

/** A directory's path for the caller, and its path in the files. */
export interface PathTranslation {
  readonly outer: string;
  readonly inner: string;
}

/**
 * The files of one directory presented as another: paths in arguments, results and error messages are translated. The
 * caller's paths must be within `outer`; nothing outside of `inner` can be reached or is revealed.
 */
export function translateFiles(files: Files, translation: PathTranslation): Files {
  const inward = (path: string): string => relocate(resolvePath(path), translation.outer, translation.inner);
  const outward = (path: string): string => toCaller(path, translation);
  const renamed = <Named extends FileEntry>(entry: Named): Named => ({ ...entry, path: outward(entry.path) });
  const translated = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw isUtensilError(error) ? translateError(error, translation) : error;
    }
  };
  const at = async <Named extends FileEntry>(path: string, work: (inner: string) => Promise<Named>): Promise<Named> => {
    const inner = inward(path);
    return renamed(await translated(() => work(inner)));
  };

  const view: Files = {
    async stat(path) {
      const inner = inward(path);
      const found = await translated(() => files.stat(inner));
      return found && renamed(found);
    },
    read: (path, range) => at(path, (inner) => files.read(inner, range)),
    readText: (path) => at(path, (inner) => files.readText(inner)),
    write: (path, data, options) => at(path, (inner) => files.write(inner, data, options)),
    append: (path, data) => at(path, (inner) => files.append(inner, data)),
    edit: (path, replacement) => at(path, (inner) => files.edit(inner, replacement)),
    insertLines: (path, line, text) => at(path, (inner) => files.insertLines(inner, line, text)),
    makeDirectory: (path) => at(path, (inner) => files.makeDirectory(inner)),
    async remove(path, options) {
      const inner = inward(path);
      return translated(() => files.remove(inner, options));
    },
    async move(from, to, options) {
      const [source, target] = [inward(from), inward(to)];
      return renamed(await translated(() => files.move(source, target, options)));
    },
    async copy(from, to, options) {
      const [source, target] = [inward(from), inward(to)];
      return renamed(await translated(() => files.copy(source, target, options)));
    },
    async list(path, options = {}) {
      const inner = inward(path);
      const query = options.after === undefined ? options : { ...options, after: inward(options.after) };
      const { entries, next } = await translated(() => files.list(inner, query));
      const listing: FileListing = { entries: entries.map(renamed) };
      return next === undefined ? listing : { ...listing, next: outward(next) };
    },
    watch: (path, listener) => files.watch(inward(path), (changed) => listener(changed.map(outward))),
  };
  return observable(hasBatch(files) ? withBatch(view, files, translation) : view, {
    seenBy: (observer) => translateFiles(seenBy(files, relay(observer)), translation),
    hasTaint: () => hasTaint(files),
  });

  function relay(observer: FilesObserver): FilesObserver {
    return {
      session: observer.session,
      isTainted: () => observer.isTainted(),
      hasReview: () => observer.hasReview?.() === true,
      sources: () => observer.sources(),
      taint: (path, sources) => observer.taint(outward(path), sources),
    };
  }
}

/** Errors thrown by the work of a batch are in the caller's paths already. */
function withBatch(view: Files, files: BatchFiles, translation: PathTranslation): BatchFiles {
  return {
    ...view,
    async batch(work) {
      let thrown: unknown;
      try {
        return await files.batch(async (inner) => {
          try {
            return await work(translateFiles(inner, translation));
          } catch (error) {
            thrown = error;
            throw error;
          }
        });
      } catch (error) {
        throw error !== thrown && isUtensilError(error) ? translateError(error, translation) : error;
      }
    },
  };
}

/** Rebases a path from one directory to another. */
function relocate(path: string, from: string, to: string): string {
  const rest = path === from ? '' : path.slice(prefixOf(from).length);
  return prefixOf(to) + rest || '/';
}

/** Prefix of all paths below a directory, including the slash. */
function prefixOf(directory: string): string {
  return directory === '/' ? '' : directory;
}

/** The caller's path for one of the files; a path outside the directory maps to the directory itself. */
function toCaller(path: string, { outer, inner }: PathTranslation): string {
  return isWithin(inner, path) ? relocate(path, inner, outer) : outer;
}

function translateError(
  { code, message, path, lines, retryable, cause }: UtensilError,
  translation: PathTranslation,
): UtensilError {
  const details = { retryable, ...(cause === undefined ? {} : { cause }), ...(lines === undefined ? {} : { lines }) };
  const translated = (words: string): string => translateHint(words, translation);
  const start = path === undefined ? -1 : message.indexOf(quotePath(path));
  const shown = path === undefined ? {} : { path: toCaller(path, translation) };
  if (path === undefined || start === -1)
    return new UtensilError(code, translated(message) || code, { ...details, ...shown });
  const happened = translated(message.slice(0, start)) || `${code}: `;
  const hint = translated(message.slice(start + quotePath(path).length));
  return new UtensilError(code, happened + quotePath(toCaller(path, translation)) + hint, { ...details, ...shown });
}

/** Matches the start of a path in a text. */
const quoted = / '(?=\/)/;

/** A hint in the caller's paths; empty if it names a path that the caller cannot see. */
function translateHint(hint: string, { outer, inner }: PathTranslation): string {
  const [start = '', ...paths] = hint.split(quoted);
  const within = `${prefixOf(inner)}/`;
  if (paths.some((path) => !path.startsWith(within))) return '';
  const shown = paths.map((path) => {
    const rest = path.slice(within.length);
    return rest.startsWith("'") ? outer + rest : `${prefixOf(outer)}/${rest}`;
  });
  return [start, ...shown].join(" '");
}
