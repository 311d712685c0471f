// The apps of docs/frameworks.md, as files.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown } from '../documents/markdown.ts';

/** What a framework's own template brings. */
const pages = (name: string, main: string): Readonly<Record<string, string>> => ({
  [`${name}.html`]: `<!doctype html><html lang="en"><title>${name}</title><body><div id="app"></div><script type="module" src="./${name}.ts"></script></body></html>\n`,
  [`${name}.ts`]: main,
});

const fixed: Readonly<Record<string, string>> = {
  ...pages('vue', "import { createApp } from 'vue';\nimport App from './App.vue';\ncreateApp(App).mount('#app');\n"),
  ...pages(
    'svelte',
    "import { mount } from 'svelte';\nimport App from './App.svelte';\nmount(App, { target: document.querySelector('#app') });\n",
  ),
};

const named: Readonly<Record<string, string>> = {
  'ts no-run': 'conversation.ts',
  html: 'html.html',
  vue: 'App.vue',
  svelte: 'App.svelte',
};

/** Writes the apps of a page into a directory, which then has nothing else. Throws where one is missing. */
export function writeApps(markdown: string, directory: string): void {
  const blocks = new Map(readMarkdown(markdown).fences.map(({ info, text }) => [info, text]));
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [info, name] of Object.entries(named)) {
    const block = blocks.get(info);
    if (block === undefined) throw new Error(`The page has no block \`${info}\`.`);
    writeFileSync(join(directory, name), `${block}\n`);
  }
  for (const [name, text] of Object.entries(fixed)) writeFileSync(join(directory, name), text);
}
