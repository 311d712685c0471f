import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, isOwnImage } from './address.ts';
import { isMisleading } from './misleading.ts';
import { lex, linksOf } from './lex.ts';
import { mended } from './mend.ts';
import { proseOf, seen } from './prose.ts';
import { segmentsOf } from './segments.ts';

const lines = fc.constantFrom(
  '',
  'a',
  '- b',
  '  c',
  '1. d',
  '```',
  '~~~ js',
  '    e',
  '> f',
  '| g |',
  '  ```',
  '# h',
  ' ',
);
const markdown = fc.array(lines, { maxLength: 20 }).map((all) => all.join('\n'));

const row = (cell: string, columns: number): string => `| ${`${cell} | `.repeat(columns)}\n`;

describe('segmentsOf', () => {
  it('loses nothing of a text', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(
          segmentsOf(text)
            .map((segment) => segment.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('gives the same result for a growing text as for the whole, and keeps complete blocks', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(60), { maxLength: 8 }), (text, cuts) => {
        let segments: ReturnType<typeof segmentsOf> = [];
        for (const end of [...cuts.toSorted((a, b) => a - b), text.length]) {
          const kept = segments.slice(0, -2);
          segments = segmentsOf(text.slice(0, end), segments);
          expect(segments.slice(0, kept.length).every((segment, at) => segment === kept[at])).toBe(true);
          expect(segments).toEqual(segmentsOf(text.slice(0, end)));
        }
      }),
    );
  });

  it.each([
    ['a list with empty lines in it', '- a\n\n- b\n\n  c\n\nd', ['- a\n\n- b\n\n  c\n\n', 'd']],
    ['code with empty lines in it', 'a\n```js\nb\n\nc\n```\nd', ['a\n', '```js\nb\n\nc\n```\n', 'd']],
    ['code of a list', '- a\n  ```\n  b\n\n  c\n  ```\n\nd', ['- a\n  ```\n  b\n\n  c\n  ```\n\n', 'd']],
    ['code in longer marks', '````\n```\n````\na', ['````\n```\n````\n', 'a']],
  ])('keeps %s together', (_, text, expected) => {
    expect(segmentsOf(text).map((segment) => segment.text)).toEqual(expected);
  });

  it('knows the language of code, its indentation, and whether it is closed', () => {
    expect(segmentsOf('  ```ts x\n  a\n    b\n')[0]?.fence).toEqual({
      language: 'ts',
      code: 'a\n  b',
      isClosed: false,
    });
    expect(segmentsOf('~~~\na\n~~~')[0]?.fence).toEqual({ language: '', code: 'a', isClosed: true });
  });
});

describe('mended', () => {
  it.each([
    ['Some **bold', 'Some **bold**'],
    ['Some **bold*', 'Some **bold**'],
    ['Some **', 'Some '],
    ['Some **bold ', 'Some **bold** '],
    ['A `code', 'A `code`'],
    ['A `code` and ~~no', 'A `code` and ~~no~~'],
    ['***both', '***both***'],
    ['**bold _and', '**bold _and_**'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3', '2 * 3'],
    ['see [the page', 'see the page'],
    ['see [the page](https://exam', 'see the page'],
    ['see ![a picture](https://exam', 'see '],
    ['- [ ', '- [ '],
    ['text\n-', 'text'],
    ['- a\n- **b', '- a\n- **b**'],
    ['**whole** and', '**whole** and'],
    ['| a | b |', '| a | b |\n|---|---|'],
    ['| a | b |\n|-', '| a | b |\n|---|---|'],
    ['| a |\n|---|\n| c |', '| a |\n|---|\n| c |'],
  ])('reads the end of %j as %j', (text, expected) => {
    expect(mended(text)).toBe(expected);
  });

  it('reads every text', () => {
    fc.assert(fc.property(fc.stringMatching(/^[*_`~[\]()!|\-\n a\\#>]*$/), (text) => typeof mended(text) === 'string'));
    expect(mended('')).toBe('');
  });
});

describe('lex', () => {
  const nasty: Readonly<Record<string, (length: number) => string>> = {
    brackets: (length) => '['.repeat(length),
    'opened links': (length) => '[a]('.repeat(length / 4),
    images: (length) => '!['.repeat(length / 2),
    stars: (length) => '*a'.repeat(length / 2),
    'stars around words': (length) => '*a **b '.repeat(length / 7),
    'lower lines': (length) => '_a'.repeat(length / 2),
    ticks: (length) => Array.from({ length: Math.sqrt(length) }, (_, count) => `${'`'.repeat(count)}a`).join(''),
    quotes: (length) => '> '.repeat(length / 2),
    lists: (length) => '- '.repeat(length / 2),
    numbers: (length) => '1. '.repeat(length / 3),
    'nested lists': (length) =>
      Array.from({ length: Math.sqrt(length) }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
    tags: (length) => '<a '.repeat(length / 3),
    tables: (length) => `${'|a'.repeat(length / 4)}\n${'|-'.repeat(length / 4)}\n`,
    'mail addresses': (length) => `${'a.'.repeat(length / 2)}@`,
    'web addresses': (length) => 'http://'.repeat(length / 7),
  };

  it.each(Object.entries(nasty))('reads %s, or leaves them as they are written, at any length', (_, text) => {
    for (const length of [1_000, 4_000, 20_000, 1_000_000])
      for (const segment of segmentsOf(text(length))) {
        lex(segment.text);
        mended(segment.text);
      }
    expect(lex(text(1_000_000))).toBeUndefined();
  });

  it.each([
    [
      'that are not written',
      (columns: number, rows: number) => `${row('a', columns)}${row('-', columns)}${'| |\n'.repeat(rows)}`,
    ],
    [
      'in a quote',
      (columns: number, rows: number) => `> ${row('a', columns)}> ${row('-', columns)}${'> | |\n'.repeat(rows)}`,
    ],
  ])('reads no table that a short text gives millions of cells %s', (_, table) => {
    expect(lex(table(3_000, 5_000))).toBeUndefined();
    const [read] = lex(table(30, 200))?.tokens ?? [];
    expect(['table', 'blockquote']).toContain(read?.type);
  });

  it('reads a hundred thousand levels of nothing', () => {
    expect(lex('> '.repeat(10_000) + 'a')).toBeUndefined();
    expect(lex('> '.repeat(10) + 'a')).toBeDefined();
  });

  it('takes images that a text carries itself out of it, however long', () => {
    const source = `data:image/png;base64,${'A'.repeat(200_000)}`;
    const lexed = lex(`![a](${source}) and ![b](data:text/html;base64,AA==)`);
    expect(lexed?.images).toEqual([source]);
  });

  it('finds where words refer to', () => {
    expect(linksOf('[One  two]: https://a.example\n\n[b]: <https://b.example>')).toEqual({
      'one two': { href: 'https://a.example', title: null },
      b: { href: 'https://b.example', title: null },
    });
  });
});

/** Texts that let a link to evil.example look like one to somewhere else. */
const misleading = [
  'Log in at bank.example now',
  '(bank.example)',
  '→bank.example←',
  'login/bank.example',
  'login:bank.example',
  'ftp://bank.example',
  'ftp:bank.example',
  'mailto:me@bank.example',
  'me@bank.example',
  'http://localhost:8080/',
  'ssh://intranet',
  'https://1.2.3.4/x',
  'https://user:word@evil.example',
  'https://bank.example@evil.example/',
  'https://evil.example:443@bank.example/',
  'bank。example',
  'bank．example',
  'bank｡example',
  'bank․example',
  'ｂａｎｋ.ｅｘａｍｐｌｅ',
  'ⓑⓐⓝⓚ.example',
  '𝐛𝐚𝐧𝐤.example',
  'bank.​example',
  'bank­.example',
  'bank.﻿example',
  'bank.⁠example',
  'bank‎.‏example',
  '‮elpmaxe.knab',
  'bank. example',
  'bank.exa̲mple',
  'BANK.EXAMPLE',
  'bаnk.example',
  'see...bank.example',
  'evil.example and bank.example',
  'evil.example.bank.example',
  'my‐evil.example',
  'not–evil.example',
  'evil.example‐bank',
  'банк.рф',
  'xn--80ab.xn--p1ai',
  'bank.公司',
  'www.bank.example/https://evil.example',
];

describe('addressOf', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    '//a.example',
    '/a',
    '#a',
    'https://user:word@a.example',
    'http://',
    '',
  ])('knows no place for %j', (href) => {
    expect(addressOf(href)).toBeUndefined();
  });

  it('knows the web and mail, and says which host it is, in letters that cannot deceive', () => {
    expect(addressOf('https://аpple.com/x')?.place).toBe('xn--pple-43d.com');
    expect(addressOf('mailto:a@b.example')?.place).toBe('a@b.example');
    expect(addressOf('HTTP://A.example:81')).toEqual({ href: 'http://a.example:81/', place: 'a.example:81' });
  });

  it('tells a text that names another place', () => {
    const address = { href: 'https://evil.example/', place: 'evil.example' };
    expect(isMisleading('https://bank.example/login', address)).toBe(true);
    expect(isMisleading('bank.example', address)).toBe(true);
    expect(isMisleading('my bank', address)).toBe(false);
    expect(isMisleading('www.evil.example/login', address)).toBe(false);
    expect(isMisleading('here', { href: '', place: 'xn--pple-43d.com' })).toBe(true);
  });

  const evil = { href: 'https://evil.example/', place: 'evil.example' };

  it.each(misleading)('a link to evil.example could say %j', (text) => {
    expect(isMisleading(text, evil)).toBe(true);
  });

  it.each([
    'here',
    'evil.example',
    'Read it on Evil.Example.',
    'https://evil.example/a.b.example/x.zip?y=bank.example',
    'http://www.evil.example:8080/readme.md',
    '“evil.example/a”, page 3',
    'e.g. version 1.2.3 of index.html, U.S. 3.14',
    'Node.js and notes.txt',
    'What? And so on...',
    'ev­il.example',
    '',
  ])('says no place where a link to evil.example says %j', (text) => {
    expect(isMisleading(text.replaceAll(/[“”]/g, '"'), evil)).toBe(false);
  });

  it('a link that writes a mail could name another address', () => {
    const mail = { href: 'mailto:thief@evil.example', place: 'thief@evil.example' };
    for (const text of ['help@bank.example', 'help@evil.example', 'bank.example', 'mailto:help@evil.example'])
      expect([text, isMisleading(text, mail)]).toEqual([text, true]);
    for (const text of [
      'thief@evil.example',
      'Write to thief@evil.example.',
      'mailto:thief@evil.example',
      'evil.example',
    ])
      expect([text, isMisleading(text, mail)]).toEqual([text, false]);
  });

  it('another host is found wherever it stands, and however it is spelled', () => {
    const word = fc.stringMatching(/^[a-zA-Z ,!?]{0,12}$/);
    const dot = fc.constantFrom('.', '。', '．', '｡', '․');
    const ignored = fc.constantFrom('', '​', '­', '‍', '﻿', '⁣', '‬');
    fc.assert(
      fc.property(word, word, dot, ignored, (before, after, point, nothing) => {
        const text = `${before} ba${nothing}nk${point}${nothing}example ${after}`;
        expect(isMisleading(text, evil)).toBe(true);
        expect(isMisleading(text, { href: '', place: 'bank.example' })).toBe(false);
      }),
    );
  });

  it('reads a long hostile text in one pass', () => {
    for (const unit of ['a', 'a.', '.', '-', '@a', '://', 'evil.example/', 'evil.example ', '̲', 'a‐'])
      expect(typeof isMisleading(unit.repeat(20_000), evil)).toBe('boolean');
  });

  it('takes images of four kinds as the text’s own', () => {
    expect(isOwnImage('data:image/png;base64,AAAA')).toBe(true);
    expect(isOwnImage('data:image/svg+xml;base64,AAAA')).toBe(false);
    expect(isOwnImage('data:text/html;base64,AAAA')).toBe(false);
  });
});

describe('proseOf', () => {
  it('reads character references, and leaves other text unchanged', () => {
    expect(proseOf('a &amp; b &lt;i&gt; &#8212; &#x2014; &hellip; &nothing; &#0; &#xD800; AT&T')).toBe(
      'a & b <i> — — … &nothing; \ufffd \ufffd AT&T',
    );
  });

  it('names what turns a text around or cannot be seen, and leaves flags and joined signs alone', () => {
    expect(seen('a\u202eb\u200bc')).toBe('a⟨U+202E⟩b⟨U+200B⟩c');
    expect(seen('x\u{e0041}')).toBe('x⟨U+E0041⟩');
    const flag = '🏴\u{e0067}\u{e0062}\u{e007f} 👩‍👩‍👧 می\u200cخواهم';
    expect(seen(flag)).toBe(flag);
  });
});
