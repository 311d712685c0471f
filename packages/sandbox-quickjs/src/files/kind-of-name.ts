/** Kind of content, as `fs.stat` shows it. */
export interface FileKind {
  readonly isBinary: boolean;
  /** Null if the name has no known extension. */
  readonly mime: string | null;
}

/** Media types of text files, with their extensions. */
const texts: Readonly<Record<string, string>> = {
  'text/plain': 'txt log text ini cfg conf env',
  'text/markdown': 'md markdown mdx',
  'text/html': 'html htm',
  'text/css': 'css scss less',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/javascript': 'js mjs cjs jsx',
  'text/typescript': 'ts mts cts tsx',
  'text/x-python': 'py',
  'text/x-shellscript': 'sh bash zsh',
  'application/json': 'json jsonc map',
  'application/jsonl': 'jsonl ndjson',
  'application/xml': 'xml xsl',
  'application/yaml': 'yaml yml',
  'application/toml': 'toml',
  'application/sql': 'sql',
  'image/svg+xml': 'svg',
};

/** Media types of binary files, with their extensions. */
const bytes: Readonly<Record<string, string>> = {
  'application/octet-stream': 'bin dat exe dll so o a class pyc',
  'application/pdf': 'pdf',
  'application/zip': 'zip jar docx xlsx pptx odt ods odp epub',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-7z-compressed': '7z',
  'application/wasm': 'wasm',
  'application/vnd.sqlite3': 'sqlite sqlite3 db',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/x-icon': 'ico',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'video/matroska': 'mkv',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
};

const listed = (table: Readonly<Record<string, string>>, isBinary: boolean): [string, FileKind][] =>
  Object.entries(table).flatMap(([mime, names]) =>
    names.split(' ').map((name): [string, FileKind] => [name, { isBinary, mime }]),
  );

const kinds: ReadonlyMap<string, FileKind> = /* @__PURE__ */ new Map([...listed(texts, false), ...listed(bytes, true)]);

/** Kind of a file by its name alone, so that `stat` never reads a large file. */
export function kindOfName(path: string): FileKind {
  const [, extension = ''] = /[^/]\.([^./]+)$/.exec(path.slice(-longestEnd)) ?? [];
  return kinds.get(extension.toLowerCase()) ?? { isBinary: false, mime: null };
}

/** Number of characters at the end of a path to search for an extension. */
const longestEnd = 32;
