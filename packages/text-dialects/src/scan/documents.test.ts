import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callsIn, partsOf, tool, tools } from '../test-kit/text-model.ts';

// Documentation about tools, as people and models write it: of this repository, and of the packages that it needs.

const root = new URL('../../../..', import.meta.url);

/** Names of tools that documents show, so that their examples could be calls. */
const names = [
  'add', 'bash', 'calculator', 'echo', 'edit', 'f', 'fetch', 'function', 'g', 'get_weather', 'getWeather', 'glob', 'greet', 'grep',
  'h', 'list_files', 'multiply', 'note', 'query', 'read', 'run', 'shell', 'sum', 'todo', 'weather', 'web_search', 'write',
]; // prettier-ignore
const request = { tools: [...tools, ...names.map((name) => tool(name, {}))] };

const own = [
  '*.md',
  'docs/**/*.md',
  'packages/*/README.md',
  'packages/*/docs/**/*.md',
  'apps/*/README.md',
  'tooling/*/README.md',
  '.changeset/*.md',
];
const others = ['node_modules/.pnpm/*/node_modules/*/*.md', 'node_modules/.pnpm/*/node_modules/@*/*/*.md'];

/** The sections of documents that mention tools, functions or calls. */
function sections(patterns: readonly string[]): readonly string[] {
  const files = [...new Set(globSync(patterns, { cwd: root }))].filter(
    (file) => !/change|licen/i.test(file.split('/').at(-1) ?? ''),
  );
  const texts = files.map((file) => readFileSync(new URL(file, root), 'utf8'));
  return texts.flatMap((text) => text.split(/^(?=#{1,6} )/m)).filter((text) => /tool|function|call/i.test(text));
}

/** Fences that nothing shows to be fences: what is in them stands in the text. */
const unfenced = (text: string): string => text.replaceAll(/^[ \t]*(?:```|~~~).*\n?/gm, '');

async function taken(texts: readonly string[]): Promise<readonly string[]> {
  const mistaken: string[] = [];
  for (const text of texts) if (callsIn(await partsOf([text], { request })).length > 0) mistaken.push(text);
  return mistaken;
}

describe('documentation about tools', () => {
  const all = [...sections(own), ...sections(others)];

  it('is there, in hundreds of sections', () => {
    expect(all.length).toBeGreaterThan(500);
  });

  it('is taken for calls in less than one section of 200', async () => {
    const mistaken = await taken(all);
    expect(mistaken.length / all.length).toBeLessThan(0.005);
  });

  it('is so even without its fences, except sections that are nothing but a call', async () => {
    const bare = all.filter((text) => !isCallAlone(text)).map(unfenced);
    const mistaken = await taken(bare);
    expect(mistaken.length / bare.length).toBeLessThan(0.005);
  });
});

/** A section of the page of dialects: a name, and two calls in a fence. Without the fence, they are calls. */
function isCallAlone(text: string): boolean {
  return /^### \w+\n\n````text\n[^`]*(?:```json[^`]*```[^`]*)*````\n*$/.test(text);
}
