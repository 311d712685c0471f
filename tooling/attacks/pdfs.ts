import { deflateSync } from 'node:zlib';

/** A PDF that asks for much more than its size. */
export interface Bomb {
  readonly name: string;
  bytes(): Uint8Array;
  /** Limit that stops it: without it, reading succeeds or goes on. `none`: the parser ends by itself. */
  readonly stoppedBy: 'memory' | 'time' | 'none';
}

type Part = string | Uint8Array;

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const resources = '/Resources << /Font << /F 5 0 R >> /XObject << /X 5 0 R >> >>';
const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${resources} >>`;

/** A PDF of these objects, numbered from 1; without a table, so that a reader has to look for them. */
export function pdfWith(...objects: readonly Part[]): Uint8Array {
  const body = objects.flatMap((object, index) => [`${index + 1} 0 obj\n`, object, '\nendobj\n']);
  const parts = ['%PDF-1.7\n', ...body, 'trailer\n<< /Root 1 0 R >>\n%%EOF'];
  return Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

function stream(entries: string, data: Part): Uint8Array {
  const bytes = Buffer.from(data);
  const head = Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`);
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}

function pageOf(content: Uint8Array, ...more: readonly Part[]): Uint8Array {
  return pdfWith(catalog, pages, page, content, ...more);
}

/** A stream that unpacks to the data through nested filters. */
function packed(data: Uint8Array, { filters = 1, entries = '' } = {}): Uint8Array {
  let bytes = data;
  for (let filter = 0; filter < filters; filter++) bytes = deflateSync(bytes, { level: 9 });
  return stream(`/Filter [${'/FlateDecode '.repeat(filters)}] ${entries}`, bytes);
}

const blanks = (bytes: number): Uint8Array => Buffer.alloc(bytes, ' ');
const show = 'BT /F 9 Tf 72 700 Td (Hello) Tj ET';
const hello = stream('', show);
const font = (entries = ''): string => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${entries} >>`;

/** Each form shows the next one several times. */
function forms(depth: number, times: number): Uint8Array {
  const form = (number: number): Uint8Array =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F ${5 + depth} 0 R >> /XObject << /X ${number + 1} 0 R >> >>`,
      `${show} ${'/X Do '.repeat(times)}`,
    );
  return pageOf(stream('', '/X Do'), ...Array.from({ length: depth }, (_, index) => form(5 + index)), font());
}

/** A PDF with these contents, each of a page. */
export function contentsOf(...contents: readonly Part[]): Uint8Array {
  const first = 4;
  const kids = contents.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  return pdfWith(
    catalog,
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    font(),
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + index * 2 + 1} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      stream('', content),
    ]),
  );
}

/** A PDF with a line on each page. */
export function pagesOf(...lines: readonly string[]): Uint8Array {
  return contentsOf(...lines.map((line) => (line === '' ? '' : show.replace('Hello', line))));
}

const toUnicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange
100 beginbfrange ${Array.from({ length: 100 }, (_, index) => `<${(index << 24).toString(16).padStart(8, '0')}> <${(((index << 24) | 0xfffffe) >>> 0).toString(16).padStart(8, '0')}> <0041>`).join(' ')} endbfrange
endcmap end`;

/** Contents of a page that become a thousand times as much on the heap when they are unpacked. */
export const values: Uint8Array = Buffer.concat([Buffer.from('['), Buffer.alloc(8_000_000, '<<>>')]);

/** Contents of a page that take minutes to read, and little memory. */
export const endless: Uint8Array = Buffer.concat([Buffer.from('BT '), Buffer.alloc(30_000_000, '/F 9 Tf ')]);

export const bombs: readonly Bomb[] = [
  {
    name: 'a stream that unpacks to millions of blanks',
    bytes: () => pageOf(packed(blanks(40_000_000)), font()),
    stoppedBy: 'memory',
  },
  {
    name: 'filters within filters',
    bytes: () => pageOf(packed(blanks(40_000_000), { filters: 3 }), font()),
    stoppedBy: 'memory',
  },
  {
    name: 'runs of bytes within runs of bytes',
    bytes: () => {
      const runs = Buffer.alloc(1_000_000, Uint8Array.from([129, 32])); // each two bytes are 128 blanks
      return pageOf(stream('/Filter [/FlateDecode /RunLengthDecode]', deflateSync(runs)), font());
    },
    stoppedBy: 'memory',
  },
  {
    name: 'many streams of a page, each of which unpacks to little',
    bytes: () => {
      const content = `[${'6 0 R '.repeat(60)}]`;
      return pageOf(Buffer.from(content), font(), packed(blanks(1_000_000)));
    },
    stoppedBy: 'memory',
  },
  {
    name: 'rows of a predictor of a hundred megabytes',
    bytes: () => {
      const parms = '/DecodeParms [<< /Predictor 12 /Columns 100000000 >>]';
      return pageOf(packed(Buffer.from(show), { entries: parms }), font());
    },
    stoppedBy: 'memory',
  },
  {
    name: 'a font whose characters are mapped by the billion',
    bytes: () => pageOf(hello, font('/ToUnicode 6 0 R'), stream('', toUnicode)),
    stoppedBy: 'time',
  },
  {
    name: 'values on the heap',
    bytes: () => pageOf(packed(values), font()),
    stoppedBy: 'memory',
  },
  { name: 'forms that show forms', bytes: () => forms(12, 20), stoppedBy: 'time' },
  {
    name: 'a form that shows itself',
    bytes: () =>
      pageOf(stream('', '/X Do'), stream('/Subtype /Form /Resources << /XObject << /X 5 0 R >> >>', '/X Do')),
    stoppedBy: 'none',
  },
  {
    name: 'a length that is itself',
    bytes: () => pageOf(Buffer.from(`<< /Length 6 0 R >>\nstream\n${show}\nendstream`), font(), '6 0 R'),
    stoppedBy: 'none',
  },
  {
    name: 'a tree of pages that is a circle',
    bytes: () => pdfWith(catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'),
    stoppedBy: 'none',
  },
  {
    name: 'a table that goes on with itself',
    bytes: () => {
      const head = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n';
      const table = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 9 /Root 1 0 R /Prev ${head.length} >>`;
      return Buffer.from(`${head}${table}\nstartxref\n${head.length}\n%%EOF`);
    },
    stoppedBy: 'none',
  },
  {
    name: 'objects in a stream that is among them',
    bytes: () => pageOf(stream('/Type /ObjStm /N 100000 /First 9 /Extends 4 0 R', '4 0 5 0 4 0 R'), font()),
    stoppedBy: 'none',
  },
  {
    name: 'lists in lists, a hundred thousand deep',
    bytes: () => pageOf(stream('', `${'['.repeat(100_000)} ${show}`), font()),
    stoppedBy: 'none',
  },
  {
    name: 'a billion pages, of which there is one',
    bytes: () => pdfWith(catalog, '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>', page, hello, font()),
    stoppedBy: 'none',
  },
];
