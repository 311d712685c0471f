import type { Plugin } from 'vite';
import { comingBack } from './src/texts/coming-back.ts';
import { description, noScript, title } from './src/texts/document.ts';

const words: Readonly<Record<string, string>> = { title, description, noScript, comingBack };
const manifest = 'manifest.webmanifest';

/** Replaces placeholders such as `%title%` in the pages by the texts of the app, and creates the web manifest. */
export function pageWords(): Plugin {
  return {
    name: 'utensil-page-words',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replaceAll(/%(title|description|noScript|comingBack)%/g, (_, name: string) => words[name] ?? ''),
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${manifest}`, (_, response) => response.end(manifestText()));
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: manifest, source: manifestText() });
    },
  };
}

function manifestText(): string {
  const about = {
    id: '/',
    name: title,
    short_name: title,
    description,
    start_url: '/',
    display: 'standalone',
    background_color: '#17181c',
    theme_color: '#3152c8',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    ],
  };
  return JSON.stringify(about, undefined, 2);
}
