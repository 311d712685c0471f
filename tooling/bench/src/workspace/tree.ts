import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text in one of a thousand files. */
export const needle = 'a needle in this haystack';

const prose = 'It was neither the best of times nor the worst, and nobody had asked for either.';

/** Files of a project on disk: sources of 0.5 to 12 kB, 25 per directory, and a fifth as many ignored files. */
export function makeTree(root: string, count: number): void {
  for (let index = 0; index < count; index++) {
    write(join(root, `src/part-${Math.floor(index / 500)}/unit-${Math.floor(index / 25) % 20}`), index);
  }
  for (let index = 0; index < count / 5; index++)
    write(join(root, `node_modules/some-${Math.floor(index / 20)}`), index);
  mkdirSync(join(root, '.git')); // ripgrep only reads .gitignore in a repository
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n/out/\n');
}

function write(directory: string, index: number): void {
  mkdirSync(directory, { recursive: true });
  const length = 500 * 2 ** ((Math.imul(index, 2654435761) >>> 24) % 5) * 1.4;
  const lines: string[] = [];
  for (let size = 0, line = 0; size < length; line++) {
    const text = `${line}: ${prose} (${index})`;
    lines.push(text);
    size += text.length + 1;
  }
  if (index % 1000 === 7) lines.push(`const hay${index} = "${needle}";`);
  writeFileSync(join(directory, `file-${index}.ts`), `${lines.join('\n')}\n`);
}
