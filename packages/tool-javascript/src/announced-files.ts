import type { Files, ProjectFiles } from '@utensil/core';

/** Wraps files so that every change awaits `before`. */
export function announcedFiles(files: Files, before: () => Promise<void>): Files {
  const announced =
    <Given extends readonly unknown[], Result>(change: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await before();
      return change(...given);
    };
  return {
    ...files,
    write: announced(files.write),
    append: announced(files.append),
    edit: announced(files.edit),
    insertLines: announced(files.insertLines),
    makeDirectory: announced(files.makeDirectory),
    remove: announced(files.remove),
    move: announced(files.move),
    copy: announced(files.copy),
    ...(hasBatch(files) && { batch: announced(files.batch) }),
  };
}

function hasBatch(files: Files): files is Files & Pick<ProjectFiles, 'batch'> {
  return 'batch' in files;
}
