import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { offlineWorker } from './offline-worker.ts';
import { pageWords } from './page-words.ts';
import { separateZod } from './separate-zod.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pageWords(), separateZod(), offlineWorker()],
  // The sources of the workspace, so that a change of a package needs no build.
  resolve: { conditions: ['@utensil/source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'signed-in.html'].map((page) => join(import.meta.dirname, page)) },
    license: { fileName: 'licenses.md' },
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1', port: 4173, strictPort: false },
});
