import type { Kit } from './kit.ts';

/**
 * Defines the files of the project. Every call goes to the host: as a promise, or synchronously if the code can block.
 */
export function guestFs(kit: Kit): void {
  if (!kit.withFiles) return;
  const { assign } = Object; // a script may replace it
  const failed = (code: string, message: string): Error => assign(new Error(message), { code });
  const invalid = (message: string): Error => failed('EINVAL', `EINVAL: ${message}`);

  /** Maximum characters of a path, as on the host. */
  const longest = 4_096;
  const tooLong = (path: string): Error =>
    failed('ENAMETOOLONG', `ENAMETOOLONG: name too long (${path.length} characters), '${path.slice(0, 100)}…'`);

  const required = (name: string, path: unknown, parameter = 'path'): string => {
    if (path === undefined || path === null) throw invalid(`missing required argument '${parameter}' for fs.${name}`);
    const text = String(path);
    if (text.length > longest) throw tooLong(text);
    return text;
  };

  const encodingOf = (options: unknown): string | undefined => {
    const named =
      typeof options === 'object' && options !== null ? (options as { encoding?: unknown }).encoding : options;
    if (named === undefined || named === null) return undefined;
    if (/^utf-?8$/i.test(String(named))) return 'utf-8';
    throw new RangeError('Only UTF-8 encoding is supported');
  };

  const isRecursive = (options: unknown): boolean =>
    typeof options === 'object' && options !== null
      ? Boolean((options as { recursive?: unknown }).recursive)
      : options === true;

  /** The request to the host, and the conversion of its answer. */
  interface Operation {
    input(...given: readonly unknown[]): Readonly<Record<string, unknown>>;
    output?(answer: unknown, input: Readonly<Record<string, unknown>>): unknown;
  }

  const nothing = (): void => undefined;
  const operations: Readonly<Record<string, Operation>> = {
    readFile: {
      input: (path, options) => ({ path: required('readFile', path), isText: encodingOf(options) !== undefined }),
      output: (content, { isText }) => (isText === true ? content : kit.fromBase64(String(content)).buffer),
    },
    writeFile: {
      input(path, data) {
        const to = required('writeFile', path);
        const content = kit.contentOf(data);
        if (content === undefined) throw invalid(`invalid argument, data must be string or buffer, '${to}'`);
        return { path: to, ...content };
      },
      output: nothing,
    },
    exists: { input: (path) => ({ path: required('exists', path) }) },
    mkdir: {
      input: (path, options) => ({ path: required('mkdir', path), recursive: isRecursive(options) }),
      output: nothing,
    },
    readdir: { input: (path) => ({ path: required('readdir', path) }) },
    unlink: { input: (path) => ({ path: required('unlink', path) }), output: nothing },
    rmdir: {
      input: (path, options) => ({ path: required('rmdir', path), recursive: isRecursive(options) }),
      output: nothing,
    },
    rename: {
      input: (from, to) => ({ path: required('rename', from, 'oldPath'), to: required('rename', to, 'newPath') }),
      output: nothing,
    },
    stat: { input: (path) => ({ path: required('stat', path) }) },
  };

  const cannotWait = (name: string): Error =>
    failed('ENOTSUP', `fs.${name}Sync is missing here: use await fs.${name}(...)`);

  const fs: Record<string, (...given: unknown[]) => unknown> = {};
  for (const [name, { input, output = (answer: unknown) => answer }] of Object.entries(operations)) {
    fs[name] = async (...given) => {
      const asked = input(...given);
      return output(await kit.call(`fs.${name}`, asked), asked);
    };
    fs[`${name}Sync`] = (...given) => {
      if (!kit.canWait) throw cannotWait(name);
      const asked = input(...given);
      return output(kit.callNow(`fs.${name}`, asked), asked);
    };
  }
  kit.define('fs', fs);
  kit.define('__fs', fs);
}
