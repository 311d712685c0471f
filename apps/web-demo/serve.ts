// Builds the app, serves it on loopback only, and opens it in a browser.

import { build, preview } from 'vite';

const root = import.meta.dirname;
await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' });
const server = await preview({ root, configFile: `${root}/vite.config.ts`, preview: { open: !process.env['CI'] } });
server.printUrls();
