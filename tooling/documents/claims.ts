// Claims of a Markdown document about the repository: links, paths, scripts, and a doc test for each ts block.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Found, readMarkdown } from './markdown.ts';

interface Document {
  readonly root: string;
  /** Relative to the root, with slashes. */
  readonly path: string;
}

/** False claims. */
export function findFalseClaims(document: Document): string[] {
  const { links, code, fences } = readMarkdown(readFileSync(join(document.root, document.path), 'utf8'));
  const shell = fences.filter(({ info }) => /^(?:sh|bash|shell|console)\b/.test(info)).flatMap(commandsOf);
  const blocks = fences.filter(({ info }) => /^ts\b/.test(info) && !isFile(info));
  return [
    ...links.flatMap((link) => wrongLink(link, document)),
    ...code.flatMap((each) => [...wrongPath(each, document), ...wrongScript(each, document)]),
    ...shell.flatMap((command) => [
      ...command.text.split(/\s+/).flatMap((text) => wrongPath({ text, line: command.line }, document)),
      ...wrongScript(command, document),
    ]),
    ...blocks.flatMap((block) => untested(block, document)),
  ];
}

/** A block that mirrors a file, which tooling/doctest/main.ts compares. */
function isFile(info: string): boolean {
  return /^ts \S+\/\S+\.ts$/.test(info);
}

function commandsOf({ text, line }: Found): Found[] {
  return text
    .split('\n')
    .map((row, index) => ({ text: row.replace(/^\s*\$\s*|\s+#.*$/g, ''), line: line + 1 + index }));
}

function wrongLink({ text, line }: Found, { root, path }: Document): string[] {
  if (/^[a-z][a-z+.-]*:/i.test(text)) return [];
  const [file = '', anchor] = decodeURI(text).split('#', 2);
  const target = file === '' ? path : posix.join(file.startsWith('/') ? '' : posix.dirname(path), file);
  if (!existsSync(join(root, target))) return [`${path}:${line}: the link ${text} leads nowhere`];
  if (anchor === undefined || !target.endsWith('.md')) return [];
  const known = readMarkdown(readFileSync(join(root, target), 'utf8')).anchors.includes(anchor);
  return known ? [] : [`${path}:${line}: ${target} has no heading #${anchor}`];
}

/** A path starts with a top-level folder of the repository; `src/` and `./` are relative to the document. */
function wrongPath({ text, line }: Found, { root, path }: Document): string[] {
  const isLocal = /^(?:\.\/|src\/)[\w./-]+$/.test(text);
  const isOfRoot = /^(?:packages|apps|tooling|docs|\.ci|\.changeset)\/[\w.*{},/-]*$/.test(text);
  if (!isLocal && !isOfRoot) return [];
  const pattern = isLocal ? posix.join(posix.dirname(path), text) : text.replace(/\/$/, '');
  const exists = existsSync(join(root, pattern)) || globSync(pattern, { cwd: root }).length > 0;
  return exists ? [] : [`${path}:${line}: there is no ${text}`];
}

const pnpmCommands = ['add', 'create', 'dlx', 'exec', 'install', 'pack', 'publish', 'remove', 'update', 'why'];

/** `npm run x` and `npm test` run scripts of a manifest; `pnpm x` may also run an installed program. */
function wrongScript({ text, line }: Found, { root, path }: Document): string[] {
  const home = /^(?:packages|apps|tooling)\/[^/]+(?=\/)/.exec(path)?.[0] ?? '';
  const scripts = [...scriptsOf(join(root, home)), ...scriptsOf(root)];
  const isPnpm = (name: string): boolean =>
    pnpmCommands.includes(name) || existsSync(join(root, 'node_modules/.bin', name));
  return [...text.matchAll(/(?:^|&&\s*|;\s*)(?:p?npm run|npm(?= (?:test|start)\b)|(pnpm)) ([a-z][\w:-]*)/g)]
    .filter(([, pnpm, name = '']) => !scripts.includes(name) && !(pnpm !== undefined && isPnpm(name)))
    .map(([, , name]) => `${path}:${line}: there is no script "${name}" in package.json`);
}

function scriptsOf(folder: string): string[] {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return [];
  const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: Record<string, string> };
  return Object.keys(scripts);
}

/** tooling/doctest/main.ts writes each known ts block to a module named after the document and the line. */
function untested({ line }: Found, { root, path }: Document): string[] {
  const module = `tooling/doctest/.doctest/${path.replaceAll('/', '-')}.L${line}.ts`;
  const exists = globSync(module, { cwd: root }).length > 0;
  return exists ? [] : [`${path}:${line}: no doc test covers this block (see tooling/doctest/main.ts)`];
}
