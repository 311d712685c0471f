import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { offlineWorker } from './offline-worker.ts';
import { pageWords } from './page-words.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pageWords(), offlineWorker()],
  // The sources of the workspace, so that a change of a package needs no build.
  resolve: { conditions: ['@utensil/source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1', port: 4173, strictPort: false },
});
