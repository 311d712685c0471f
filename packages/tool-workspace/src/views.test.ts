import { runTool } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { expect, it } from 'vitest';
import { contentsOf, pagesOf, values } from '../../../tooling/fixtures/attacks/pdfs.ts';
import { projectsOf, viewDocumentsTool, viewImagesTool } from './index.ts';
import { pdfOf } from './test-kit/pdf.ts';
import { workspaceOf } from './test-kit/workspace.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it('shows images as images, and says of others what they are', async () => {
  const { host } = await workspaceOf({
    'a.png': png,
    'b.txt': 'text',
    'c.jpg': Uint8Array.from([0xff, 0xd8, 0xff, 0]),
  });
  const { modelParts, isError } = await runTool(
    viewImagesTool,
    { paths: ['c.jpg', 'b.txt', 'a.png', 'none'] },
    { host },
  );
  expect(isError).toBe(true);
  const [head, ...shown] = modelParts;
  expect(head).toMatchObject({
    text: expect.stringMatching(
      /^Failed to load 'b.txt'.*no image, but text\/plain[^]*'none'.*ENOENT[^]*\n2 image\(s\)$/,
    ),
  });
  expect(shown).toMatchObject([
    { text: "Image 'c.jpg' (image/jpeg, 4 bytes):" },
    { type: 'image', mediaType: 'image/jpeg', data: '/9j/AA==' },
    { text: "Image 'a.png' (image/png, 11 bytes):" },
    { type: 'image', mediaType: 'image/png', data: Buffer.from(png).toString('base64') },
  ]);
});

it('[S2-36] shows images, and the text of PDF documents, within limits of size, in parts if it is long, and says which kinds it cannot read', async () => {
  const { ask } = await workspaceOf({
    'a.pdf': bytesOf(pdfOf('First page', 'Second page')),
    'scan.pdf': bytesOf(pdfOf('')),
    'broken.pdf': bytesOf('%PDF-1.4 nothing of the kind'),
    'a.docx': Uint8Array.from([0x50, 0x4b, 3, 4, 0]),
    'long.txt': 'word '.repeat(40_000),
  });
  const { text } = await ask(viewDocumentsTool, { paths: ['a.pdf'] });
  expect(text).toContain('>>>>> DOCUMENT: a.pdf (2 page(s))\n[page 1]\nFirst page\n\n[page 2]\nSecond page\n<<<<<');
  expect((await ask(viewDocumentsTool, { paths: ['scan.pdf'] })).text).toContain('its pages are perhaps images');
  expect((await ask(viewDocumentsTool, { paths: ['broken.pdf'] })).text).toContain('The PDF cannot be read');
  expect((await ask(viewDocumentsTool, { paths: ['a.docx'] })).text).toContain(
    'of this kind (Word) cannot be read here',
  );
  const long = await ask(viewDocumentsTool, { paths: ['long.txt'] });
  expect(long.text).toContain('[… 50000 of 200000 characters follow: continue at offset 150000.]');
  const rest = await ask(viewDocumentsTool, { paths: ['long.txt'], offset: 150_000 });
  expect(rest.text.length).toBeLessThan(51_000);
  expect(rest.text).not.toContain('continue at');

  const { files } = await workspaceOf({ 'a.png': png, 'a.pdf': bytesOf(pdfOf('A')) });
  const sized = (size: number) => {
    const stat = async (path: string) => ({ path, kind: 'file' as const, size, modifiedAt: 0, etag: '1' });
    return { host: { projects: projectsOf({ app: { files: { ...files, stat } } }) } };
  };
  const answer = async (tool: Tool, path: string, size: number) =>
    JSON.stringify((await runTool(tool, { paths: [path] }, sized(size))).modelParts);
  expect(await answer(viewImagesTool, 'a.png', 20_000_000)).toContain('"type":"image"');
  expect(await answer(viewImagesTool, 'a.png', 20_100_000)).toContain('has 20.1 MB; the limit is 20 MB');
  expect(await answer(viewDocumentsTool, 'a.pdf', 50_000_000)).toContain('[page 1]\\nA');
  expect(await answer(viewDocumentsTool, 'a.pdf', 50_100_000)).toContain('has 50.1 MB; the limit is 50 MB');
});

it('tells what it could not read of a PDF that asks for much more than its size, and continues with the others', async () => {
  const { ask } = await workspaceOf({
    'bomb.pdf': contentsOf(values),
    'half.pdf': contentsOf('BT /F 9 Tf 72 700 Td (One) Tj ET', values),
    'a.pdf': pagesOf('First page'),
  });
  const { text } = await ask(viewDocumentsTool, { paths: ['bomb.pdf', 'half.pdf', 'a.pdf'] });
  expect(text).toContain('The PDF cannot be read. The PDF takes too much memory to read: the limit is 128 MiB.');
  expect(text).toContain('[page 1]\nOne\nOf 2 pages, the first 1 were read. The PDF takes too much memory to read');
  expect(text).toContain('[page 1]\nFirst page');
});
