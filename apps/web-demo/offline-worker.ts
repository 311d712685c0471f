import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const source = '/src/service-worker.ts';
const fileName = 'service-worker.js';

/** Builds the service worker with the list of files. */
export function offlineWorker(): Plugin {
  return {
    name: 'utensil-offline-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName });
    },
    generateBundle(_options, bundle) {
      const worker = bundle[fileName];
      if (worker?.type !== 'chunk') throw new Error(`${fileName} was not built`);
      const files = Object.keys(bundle).filter(
        (name) => name !== fileName && !name.endsWith('.map') && !name.endsWith('.md'),
      );
      const paths = [
        '/',
        '/icon.svg',
        '/icon-192.png',
        '/icon-512.png',
        ...files.filter((name) => name !== 'index.html').map((name) => `/${name}`),
      ];
      const contents = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : file.source));
      const version = contents
        .reduce((hash, content) => hash.update(content), createHash('sha256'))
        .digest('hex')
        .slice(0, 16);
      const told = { FILES_OF_THE_APP: JSON.stringify(paths.sort()), VERSION_OF_THE_APP: JSON.stringify(version) };
      for (const [name, value] of Object.entries(told)) {
        if (!worker.code.includes(name)) throw new Error(`${fileName} does not ask for ${name}`);
        worker.code = worker.code.replaceAll(name, () => value);
      }
    },
  };
}
