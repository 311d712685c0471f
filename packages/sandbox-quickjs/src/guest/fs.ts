import type { Kit } from './kit.ts';

/** The files of the project. Every call is the host's, and a promise. */
export function guestFs(kit: Kit): void {
  if (!kit.withFiles) return;
  const invalid = (message: string): Error => Object.assign(new Error(`EINVAL: ${message}`), { code: 'EINVAL' });

  const required = (name: string, path: unknown, parameter = 'path'): string => {
    if (path === undefined || path === null) throw invalid(`missing required argument '${parameter}' for fs.${name}`);
    return String(path);
  };

  const encodingOf = (options: unknown): string | undefined => {
    const named =
      typeof options === 'object' && options !== null ? (options as { encoding?: unknown }).encoding : options;
    if (named === undefined || named === null) return undefined;
    if (/^utf-?8$/i.test(String(named))) return 'utf-8';
    throw new RangeError('Only UTF-8 encoding is supported');
  };

  /** As base64, or as the text that it is. */
  const contentOf = (data: unknown, path: string): { readonly text: string } | { readonly base64: string } => {
    if (typeof data === 'string') return { text: data };
    if (data instanceof ArrayBuffer) return { base64: kit.toBase64(new Uint8Array(data)) };
    if (ArrayBuffer.isView(data))
      return { base64: kit.toBase64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) };
    throw invalid(`invalid argument, data must be string or buffer, '${path}'`);
  };

  const isRecursive = (options: unknown): boolean =>
    typeof options === 'object' && options !== null
      ? Boolean((options as { recursive?: unknown }).recursive)
      : options === true;

  const fs = {
    async readFile(path: unknown, options?: unknown): Promise<unknown> {
      const from = required('readFile', path);
      const encoding = encodingOf(options);
      const content = String(await kit.call('fs.readFile', { path: from, isText: encoding !== undefined }));
      return encoding === undefined ? kit.fromBase64(content).buffer : content;
    },
    async writeFile(path: unknown, data: unknown): Promise<void> {
      const to = required('writeFile', path);
      await kit.call('fs.writeFile', { path: to, ...contentOf(data, to) });
    },
    exists: async (path: unknown) => kit.call('fs.exists', { path: required('exists', path) }),
    async mkdir(path: unknown, options?: unknown): Promise<void> {
      await kit.call('fs.mkdir', { path: required('mkdir', path), recursive: isRecursive(options) });
    },
    readdir: async (path: unknown) => kit.call('fs.readdir', { path: required('readdir', path) }),
    async unlink(path: unknown): Promise<void> {
      await kit.call('fs.unlink', { path: required('unlink', path) });
    },
    async rmdir(path: unknown, options?: unknown): Promise<void> {
      await kit.call('fs.rmdir', { path: required('rmdir', path), recursive: isRecursive(options) });
    },
    async rename(from: unknown, to: unknown): Promise<void> {
      await kit.call('fs.rename', { path: required('rename', from, 'oldPath'), to: required('rename', to, 'newPath') });
    },
    stat: async (path: unknown) => kit.call('fs.stat', { path: required('stat', path) }),
  };
  kit.define('fs', fs);
  kit.define('__fs', fs);
}
