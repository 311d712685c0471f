// Code mode: one script in the sandbox calls a tool for every file, instead of one model turn for each.

import { createFiles, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { withOption } from '@utensil/core/settings';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { filesystemTool } from '@utensil/tool-filesystem';
import { javascriptTool } from '@utensil/tool-javascript';
import assert from 'node:assert/strict';
import { modelOr } from '../model.ts';
import { show } from '../show.ts';

const files = createFiles(memoryStorage());
const amounts = { a: 3, b: 4, c: 5 };
for (const [name, amount] of Object.entries(amounts)) await files.write(`/data/${name}.txt`, String(amount));

const code = `
let total = 0;
for (const name of await fs.readdir('/data')) {
  const text = await tools.filesystem({ command: 'view', path: '/data/' + name });
  total += Number(text.split('\\t').at(-1));
}
await fs.writeFile('/total.txt', String(total));
return total;`;

const sandbox = quickjsSandbox();
const settings = withOption(emptySettings, javascriptTool, ['callTools', true]);
const toolset = resolveToolset(createRegistry([filesystemTool, javascriptTool]), settings, { files, sandbox });
const model = modelOr([{ calls: [{ name: 'javascript', input: { code } }] }, { text: 'They add up to 12.' }]);
const task = 'With one script: add up the numbers in /data/*.txt, and write the sum to /total.txt.';
await show(run({ model, toolset, messages: task }));
assert.equal((await files.readText('/total.txt')).text.trim(), '12');
sandbox.close();
