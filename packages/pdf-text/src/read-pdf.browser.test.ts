import { expect, it } from 'vitest';
import { readPdf } from './index.ts';
import { unpackWithin } from './test-kit/unpack-within.ts';
import { isServing } from './worker.ts';

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A PDF with this as the contents of its page. */
async function pdfOf(contents: string, entries = ''): Promise<Uint8Array> {
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const packed = await deflated(encode(contents));
  const head = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
4 0 obj << /Filter /FlateDecode /Length ${packed.length} ${entries} >> stream\n`;
  const parts = [encode(head), packed, encode('\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF')];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const hello = 'BT /F 9 Tf 72 700 Td (Hello) Tj ET';

/** Reading succeeds on a busy machine too. */
const patient = { timeoutMs: 100_000 };

it('reads a PDF in a worker of the web', async () => {
  expect(await readPdf(await pdfOf(hello), { limits: patient })).toEqual({
    text: '[page 1]\nHello',
    pages: 1,
    read: 1,
  });
  expect('pdfjsWorker' in globalThis).toBe(false); // set wherever the parser is loaded
});

it('gives a PDF that asks for much more than its size no more than its limits, in a browser', async () => {
  const limits = { ...patient, unpackedBytes: 8 * 2 ** 20 };
  for (const contents of [' '.repeat(20_000_000), `[${'<<>>'.repeat(1_000_000)}`])
    await expect(readPdf(await pdfOf(contents), { limits })).rejects.toMatchObject({ code: 'EFBIG' });
  expect(await readPdf(await pdfOf(' '.repeat(20_000_000)), { limits: patient })).toMatchObject({ text: '', read: 1 });
});

it('unpacks a stream no further than a piece beyond what may be taken, in a browser', async () => {
  const bytes = await deflated(new Uint8Array(60_000_000));
  expect(await unpackWithin(bytes, 80_000_000)).toEqual({ given: bytes.length, taken: 60_000_000, isDone: true });
  const { given, taken, isDone } = await unpackWithin(bytes, 1_000_000);
  expect(isDone).toBe(false);
  expect(taken).toBeLessThan(2_000_000);
  expect(given).toBeLessThan(bytes.length / 2);
});

it('the program of the worker does nothing if it is not a worker', () => {
  expect(isServing).toBe(false);
});

it('ends a PDF that takes too long in a browser, at its limit and at an abort', async () => {
  const endless = await pdfOf(`BT ${'/F 9 Tf '.repeat(3_000_000)}`);
  await expect(readPdf(endless, { limits: { timeoutMs: 100 } })).rejects.toThrow('the limit is 0.1 s');
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 100);
  await expect(readPdf(endless, { signal: controller.signal })).rejects.toThrow('enough');
});
