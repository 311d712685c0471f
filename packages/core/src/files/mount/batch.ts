import { hasBatch } from '../batching.ts';
import { fileError, quotePath } from '../file-error.ts';
import type { Files } from '../files.ts';
import type { Mount, MountTable } from './table.ts';

/** Runs work in a batch of each mount. It may change only one of them, so there is at most one commit. */
export async function batchMounted<Result>(
  table: MountTable,
  work: (table: MountTable) => Promise<Result>,
): Promise<Result> {
  const open = new Map<string, Files>();

  /** Nests the batches of all mounts. */
  function enter(mounts: readonly Mount[]): Promise<Result> {
    const [mount, ...others] = mounts;
    if (mount === undefined) return work(changingOne(table, open));
    const { path, files } = mount;
    if (!hasBatch(files)) return enter(others);
    return files.batch((inner) => {
      open.set(path, inner);
      return enter(others);
    });
  }

  return enter(table.all);
}

/** The same mounts over open batches. The first one to be changed is the only one that may be. */
function changingOne(table: MountTable, open: ReadonlyMap<string, Files>): MountTable {
  let changed: string | undefined;
  return table.over(({ path, files }) => {
    const inner = open.get(path);
    const claim = (): void => {
      if (inner === undefined)
        throw fileError('EXDEV', path, {
          hint: 'The files mounted there have no batches: change them outside of one.',
        });
      if (changed !== undefined && changed !== path) {
        const hint = `A batch changes the files of one mount, and this one has changed ${quotePath(changed)}: use one for each.`;
        throw fileError('EXDEV', path, { hint });
      }
      changed = path;
    };
    return claiming(inner ?? files, claim);
  });
}

/** The same files, with a check before each change. */
function claiming(files: Files, claim: () => void): Files {
  return {
    ...files,
    async write(path, data, options) {
      claim();
      return files.write(path, data, options);
    },
    async append(path, data) {
      claim();
      return files.append(path, data);
    },
    async edit(path, replacement) {
      claim();
      return files.edit(path, replacement);
    },
    async insertLines(path, line, text) {
      claim();
      return files.insertLines(path, line, text);
    },
    async makeDirectory(path) {
      claim();
      return files.makeDirectory(path);
    },
    async remove(path, options) {
      claim();
      return files.remove(path, options);
    },
    async move(from, to, options) {
      claim();
      return files.move(from, to, options);
    },
    async copy(from, to, options) {
      claim();
      return files.copy(from, to, options);
    },
  };
}
