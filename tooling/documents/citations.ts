// Tests that a page cites must exist.

/** A test that a page names: the file, and its title, in which `…` and `%s` stand for anything; or the case of a test that is data. */
export interface Citation {
  readonly file: string;
  readonly title: string;
}

const citation = /`([\w./-]+\.ts)`|“([^”]+)”/g;

/** The tests that a page names: titles in “quotes” after the path of a file, up to the end of the paragraph. */
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

/** Problems of the citations of a page; `read` gives the source of a file, or undefined if it does not exist. */
export function unfounded(page: string, read: (file: string) => string | undefined): readonly string[] {
  return citationsIn(page).flatMap(({ file, title }) => {
    const source = read(file)?.replaceAll(/\\(['"`$])/g, '$1');
    if (source === undefined) return [`There is no ${file}, of which the page cites “${title}”.`];
    const parts = title.split(/…|%\w/).map((part) => part.trim());
    return parts.every((part) => source.includes(part)) ? [] : [`${file} has no test “${title}”.`];
  });
}
