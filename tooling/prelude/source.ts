import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Source of the prelude, which runs in a sandbox before the user's code. */
const entry = join(root, 'packages/sandbox-quickjs/src/guest/prelude.ts');

/** Module that contains it as text. */
export const written: string = join(root, 'packages/sandbox-quickjs/src/guest/prelude-text.ts');

const ending = /export\s*\{\s*(\w+) as prelude\s*\};?\s*$/;

/** Generates that module: the prelude as one expression, in the language subset of both engines. */
export async function preludeModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    minify: true,
    charset: 'ascii',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  if (!ending.test(text)) throw new Error('The prelude has another end than `export { prelude }`.');
  const source = `(()=>{"use strict";${text.replace(ending, 'return $1')}})()`;
  return `// Generated from prelude.ts and its imports by \`npm run prelude\`.\nexport const preludeText: string =\n  ${JSON.stringify(source)};\n`;
}
