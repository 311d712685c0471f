import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('with %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000, wallMs: 120_000 } });
  afterAll(() => sandbox.close());

  /** Results of an expression for many values, as JSON. */
  async function map(values: readonly unknown[], expression: string): Promise<unknown> {
    const { text } = await sandbox.run({ code: `return ${JSON.stringify(values)}.map((value) => ${expression})` });
    return JSON.parse(text);
  }

  it('atob and btoa are those of the platform', async () => {
    const binary = fc.sample(
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) }),
      50,
    );
    expect(await map(binary, 'btoa(value)')).toEqual(binary.map((value) => btoa(value)));
    const encoded = [
      ...binary.map((value) => btoa(value)),
      ' aGk = ',
      'aGk',
      'aG',
      'a',
      'aGk=a',
      '=',
      'aG=',
      'aGk==',
      'a\u0001',
      '====',
    ];
    const decode = (value: string): string => {
      try {
        return atob(value);
      } catch {
        return 'refused';
      }
    };
    const guest = `(() => { try { return atob(value) } catch { return 'refused' } })()`;
    expect(await map(encoded, guest)).toEqual(encoded.map(decode));
  });

  it('text becomes UTF-8 and back, as on the platform', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary' }), 50);
    expect(await map(texts, '[...new TextEncoder().encode(value)]')).toEqual(
      texts.map((text) => [...new TextEncoder().encode(text)]),
    );
    const bytes = fc.sample(
      fc.array(fc.constantFrom(0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xff, 0xef, 0xbb, 0xbf)),
      50,
    );
    const decode = (list: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(list));
    expect(await map(bytes, 'new TextDecoder().decode(new Uint8Array(value))')).toEqual(bytes.map(decode));
    const fatal = `(() => { try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array([255])) } catch (error) { return error.name } })()`;
    expect(await map([1], fatal)).toEqual(['TypeError']);
  });

  it('long texts become UTF-8 and back, though the host is given them in parts', async () => {
    const part = 65_536;
    const texts = [1, 2, 3].map((short) => `${'x'.repeat(part - short)}\ud83d\ude00€\ud83dé`);
    const broken = [
      [0xf0, 0x9f],
      [0x9f, 0x98, 0x80],
      [0x80, 0x80, 0x80, 0x80, 0x80],
      [0xe2, 0x82, 0xef, 0xbb, 0xbf],
    ];
    const code = `
      const bytes = ${JSON.stringify(texts)}.map((text) => new TextEncoder().encode(text));
      const broken = ${JSON.stringify(broken)}.map((end) => new Uint8Array(${part} + 8).fill(120).map((each, at) => end[at - ${part} + 2] ?? each));
      const text = (each) => new TextDecoder().decode(each);
      return JSON.stringify([bytes.map((each) => [...each.slice(-16)]), [...bytes, ...broken].map((each) => text(each).slice(-16))])`;
    const { text } = await sandbox.run({ code });
    const bytes = texts.map((each) => new TextEncoder().encode(each));
    const all = broken.map((end) => new Uint8Array(part + 8).fill(120).map((each, at) => end[at - part + 2] ?? each));
    expect(JSON.parse(text)).toEqual([
      bytes.map((each) => [...each.slice(-16)]),
      [...bytes, ...all].map((each) => new TextDecoder().decode(each).slice(-16)),
    ]);
  });

  it('addresses are taken apart and put together as on the platform', async () => {
    const urls = [
      'https://u:p@a.b:8080/c/../d?x=1&y=%20#z',
      'http://EXAMPLE.com:80',
      'file:///a',
      'data:text/plain,x',
      '/relative',
      'https://ä.de/ü',
    ];
    const parts = (url: string): unknown => {
      const { href, origin, host, pathname, search, hash } = URL.parse(url, 'https://base.example/x/') ?? ({} as URL);
      return [href, origin, host, pathname, search, hash];
    };
    const guest = `(({ href, origin, host, pathname, search, hash }) => [href, origin, host, pathname, search, hash])(new URL(value, 'https://base.example/x/'))`;
    expect(await map(urls, guest)).toEqual(urls.map(parts));
    expect(await map(['not an address'], '[URL.canParse(value), URL.parse(value)]')).toEqual([[false, null]]);
    const change = `(() => { const url = new URL(value); url.hash = 'top'; url.port = '81'; url.searchParams.append('q', 'a b&c'); url.searchParams.delete('x'); return url.href })()`;
    expect(await map(['https://a.b/?x=1'], change)).toEqual(['https://a.b:81/?q=a+b%26c#top']);
    const query = `[...new URLSearchParams(value)].join(';') + '|' + new URLSearchParams(value).toString()`;
    const queries = ['a=1&b=2&a=3', '?x=%C3%A4+y', '', '=', 'a&&b=c=d'];
    expect(await map(queries, query)).toEqual(
      queries.map((text) => `${[...new URLSearchParams(text)].join(';')}|${new URLSearchParams(text).toString()}`),
    );
  });

  it('what is cloned is equal, and another', async () => {
    const code = `
      const value = { date: new Date(5), map: new Map([[{ a: 1 }, new Set([1n])]]), bytes: new Uint16Array([1, 2]), re: /x/gi, list: [1, , undefined], error: new RangeError('far') };
      value.self = value;
      const copy = structuredClone(value);
      const [[key, set]] = copy.map;
      let refused = '';
      try { structuredClone({ f() {} }) } catch (error) { refused = error.name }
      return [copy !== value, copy.self === copy, copy.date.getTime(), key.a, set.has(1n), copy.bytes.join(), copy.re.flags, 1 in copy.list, copy.error.name, copy.error instanceof Error, refused]`;
    const { text } = await sandbox.run({ code });
    expect(JSON.parse(text)).toEqual([
      true,
      true,
      5,
      1,
      true,
      '1,2',
      'gi',
      false,
      'RangeError',
      true,
      'DataCloneError',
    ]);
  });

  it('errors and clones stay the same if a script replaces `Object.assign`', async () => {
    const code = `
      Object.assign = undefined;
      const codes = [];
      for (const call of [() => atob('%'), () => btoa('é…'), () => structuredClone(() => 1), () => fs.readFileSync()])
        try { call() } catch (error) { codes.push(error.code ?? error.name) }
      return [...codes, structuredClone([1]).length]`;
    const { text } = await sandbox.run({ code, files: createFiles(memoryStorage()) });
    const expected = ['InvalidCharacterError', 'InvalidCharacterError', 'DataCloneError', 'EINVAL', 1];
    expect(JSON.parse(text)).toEqual(expected);
  });

  it('chance is other for each script', async () => {
    const code = `return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))]]`;
    const texts = await Promise.all([sandbox.run({ code }), sandbox.run({ code })]);
    const [first, second] = texts.map(({ text }) => JSON.parse(text) as [number, string, number[]]);
    expect(first?.[1]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect([first?.[0] === second?.[0], first?.[1] === second?.[1], first?.[2].join() === second?.[2].join()]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
