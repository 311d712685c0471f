// Show switches, a conversation and its question in a page, served until you press Ctrl+C.

import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

const bundle = await build({
  entryPoints: [`${import.meta.dirname}/../page.ts`],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2023',
  conditions: ['@utensil/source'],
});
const [script] = bundle.outputFiles;
assert.ok(script);
const page = `<!doctype html>
<html lang="en">
  <title>Utensil in a page</title>
  <meta name="viewport" content="width=device-width" />
  <style>body { max-width: 40rem; margin: auto; padding: 1rem; font-family: system-ui } utensil-thread { height: 80vh }</style>
  <script type="module" src="/page.js"></script>
  <body></body>
</html>`;

const server = createServer(({ url }, response) => {
  const [type, body] = url === '/page.js' ? ['text/javascript', script.text] : ['text/html', page];
  response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Open http://127.0.0.1:${address?.port} in a browser.`);
});
