// Writes the code blocks of the documents and of TSDoc comments out as modules, for the type checker and the
// `doc` tests, each block on the lines that it has in its document:
//
//   ```ts          is compiled and run
//   ```ts no-run   is compiled
//   ```ts <path>   is that file, word for word, which is compiled and run where it is
//
// With `--write`, such blocks are made what their files are.

import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The modules are written into this program's package, which depends on everything that a document may import. */
const home = 'tooling/doctest/.doctest';

interface Block {
  /** Line of the fence, from 1. */
  readonly line: number;
  readonly info: string;
  readonly code: string;
}

/** Fenced blocks of a Markdown document, or of the comments of a module. */
function fencedBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; margin: number; rows: string[] } | undefined;
  for (const [index, row] of text.split('\n').entries()) {
    const [, margin = '', info] = /^([ \t]*(?:\*[ \t]*)?)```([^`]*)$/.exec(row) ?? [];
    if (open !== undefined && info === '') {
      blocks.push({ line: open.line, info: open.info, code: open.rows.join('\n') });
      open = undefined;
    } else if (open !== undefined) open.rows.push(row.slice(open.margin));
    else if (info !== undefined) open = { line: index + 1, info: info.trim(), margin: margin.length, rows: [] };
  }
  return blocks;
}

/** The file that a block mirrors, if its fence names one. */
function fileOf(info: string): string | undefined {
  return /^ts (\S+\/\S+\.ts)$/.exec(info)?.[1];
}

/** Replaces each block that names a file by the content of that file. */
function withFiles(text: string): string {
  return text.replace(/^(```(ts \S+)\n)[^]*?^```$/gm, (block, fence: string, info: string) => {
    const file = fileOf(info);
    return file === undefined || !existsSync(file) ? block : `${fence}${readFileSync(file, 'utf8')}\`\`\``;
  });
}

function problems(path: string, text: string): string[] {
  const found: string[] = [];
  for (const { line, info, code } of fencedBlocks(text)) {
    const file = fileOf(info);
    if (file !== undefined) {
      const source = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      if (source === undefined) found.push(`${path}:${line}: there is no ${file}`);
      else if (source !== `${code}\n`) found.push(`${path}:${line}: differs from ${file}: run npm run samples`);
      continue;
    }
    if (/^(?:typescript|javascript|js|tsx|jsx)\b/.test(info)) found.push(`${path}:${line}: call it \`\`\`ts`);
    else if (/^ts\b/.test(info) && !['ts', 'ts no-run'].includes(info)) found.push(`${path}:${line}: unknown: ${info}`);
  }
  for (const example of text.matchAll(/^[ \t]*\*[ \t]*@example\b(?!.*\n[ \t]*\*[ \t]*```ts)/gm))
    found.push(`${path}:${text.slice(0, example.index).split('\n').length}: an @example without a \`\`\`ts block`);
  return found;
}

/** Writes the modules of a document, and a test for its runnable blocks. */
function write(path: string, text: string): void {
  const name = path.replaceAll('/', '-');
  const tests: string[] = [];
  for (const { line, info, code } of fencedBlocks(text)) {
    if (!/^ts\b/.test(info) || fileOf(info) !== undefined) continue;
    const module = join(home, `${name}.L${line}.ts`);
    writeFileSync(module, `${'\n'.repeat(line)}${code}\nexport {};\n`);
    if (info === 'ts')
      tests.push(`test('${path}:${line}', async () => {\n  await import('./${name}.L${line}.ts');\n});\n`);
  }
  if (tests.length > 0)
    writeFileSync(join(home, `${name}.test.ts`), `import { test } from 'vitest';\n\n${tests.join('')}`);
}

rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
const documents = globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md', 'packages/*/src/**/*.ts']);
for (const path of documents.map((name) => name.split(sep).join('/')).sort()) {
  if (/\.test(?:-d)?\.ts$/.test(path)) continue;
  const stored = readFileSync(path, 'utf8');
  const text = process.argv.includes('--write') ? withFiles(stored) : stored;
  if (text !== stored) writeFileSync(path, text);
  for (const problem of problems(path, text)) {
    console.error(problem);
    process.exitCode = 1;
  }
  write(path, text);
}
