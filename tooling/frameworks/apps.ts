// The apps of docs/frameworks.md and of the README of @utensil/react, as files.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown } from '../documents/markdown.ts';

/** Files of a framework's own template. */
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
  ...pages(
    'react',
    `import { createFiles, createRecords, createRegistry, openSettings, openThread } from '@utensil/core';
import { offline } from '@utensil/provider-offline';
import { indexeddbStorage } from '@utensil/storage-indexeddb';
import { memoryTool } from '@utensil/tool-memory';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './App.ts';

const storage = indexeddbStorage();
const records = createRecords(storage);
const registry = createRegistry([memoryTool]);
const settings = await openSettings(records, 'default');
const project = { model: offline(), registry, settings, files: createFiles(storage), thread: openThread(records, 'first') };
createRoot(document.querySelector('#app')).render(createElement(StrictMode, null, createElement(Chat, project)));
`,
  ),
};

/** Documents with apps, and the file names of each language's first block. */
const documents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/frameworks.md': { 'ts no-run': 'conversation.ts', html: 'html.html', vue: 'App.vue', svelte: 'App.svelte' },
  'packages/react/README.md': { 'ts no-run': 'App.ts' },
};

/** Writes the apps into a directory, and removes everything else there. Throws if a document has lost an app. */
export function writeApps(read: (path: string) => string, directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [path, names] of Object.entries(documents)) {
    const { fences } = readMarkdown(read(path));
    for (const [info, name] of Object.entries(names)) {
      const block = fences.find((fence) => fence.info === info);
      if (block === undefined) throw new Error(`${path} has no block \`${info}\`.`);
      writeFileSync(join(directory, name), `${block.text}\n`);
    }
  }
  for (const [name, text] of Object.entries(fixed)) writeFileSync(join(directory, name), text);
}
