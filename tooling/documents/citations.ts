// Checks cited tests: a page that claims a defence cites tests, and each of them must exist.

/** A cited test: its file and title, in which `…` and `%s` are wildcards, or its case in a table. */
export interface Citation {
  readonly file: string;
  readonly title: string;
}

const citation = /`([\w./-]+\.ts)`|“([^”]+)”/g;

/** Cited tests of a page: titles in “quotes” after the path of a file, up to the end of the paragraph. */
export function citationsIn(page: string): readonly Citation[] {
  return page.split(/\n(?:\s*\n|- )/).flatMap((paragraph) => {
    const cited: Citation[] = [];
    let file: string | undefined;
    for (const [, path, title] of paragraph.replaceAll(/\s+/g, ' ').matchAll(citation)) {
      if (path !== undefined) file = path;
      else if (title !== undefined && file !== undefined) cited.push({ file, title });
    }
    return cited;
  });
}

/** Problems with the citations of a page; `read` returns the source of a file, or undefined if it does not exist. */
export function unfounded(page: string, read: (file: string) => string | undefined): readonly string[] {
  return citationsIn(page).flatMap(({ file, title }) => {
    const source = read(file)?.replaceAll(/\\(['"`$])/g, '$1');
    if (source === undefined) return [`There is no ${file}, of which the page cites “${title}”.`];
    const parts = title.split(/…|%\w/).map((part) => part.trim());
    return parts.every((part) => source.includes(part)) ? [] : [`${file} has no test “${title}”.`];
  });
}
