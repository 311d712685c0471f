// Lazily loaded modules work in a browser too. The pages are hand-made.

import { runTool, textOf } from '@utensil/core';
import { expect, it } from 'vitest';
import { openLinkTool, webSearchTool } from './index.ts';
import { pdfOf } from './test-kit/pdf.ts';

async function see(body: string, type: string): Promise<string> {
  const fetch = async () => new Response(body, { headers: { 'content-type': type } });
  const { modelParts } = await runTool(openLinkTool, { url: 'https://example.com/a' }, { host: { fetch } });
  return textOf(modelParts);
}

it('opens pages, PDFs and subtitles in a browser', async () => {
  expect(await see('<title>T</title><h1>Hello</h1><p><a href="b">world</a>', 'text/html')).toBe(
    'Successfully fetched content from example.com\nAddress: https://example.com/a\nTitle: T\n\n# Hello\n\n[world](https://example.com/b)',
  );
  expect(await see(pdfOf('Hello'), 'application/pdf')).toMatch(/\n\n\[page 1\]\nHello$/);
  expect(await see('WEBVTT\n\n00:01.000 --> 00:02.000\nHello', 'text/vtt')).toMatch(/\n\nHello$/);
});

it('searches in a browser', async () => {
  const page = '<a class="result-link" href="https://example.com/">Bread</a><p class="result-snippet">A food.</p>';
  const fetch = async () => new Response(page, { headers: { 'content-type': 'text/html' } });
  const { modelParts } = await runTool(webSearchTool, { query: 'bread' }, { host: { fetch } });
  expect(textOf(modelParts)).toBe('Found 1 results for "bread":\n\n1. Bread\n   https://example.com/\n   A food.');
});
