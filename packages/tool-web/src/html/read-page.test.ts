// Hand-made pages: ordinary and hostile ones.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.ts';
import { parsePage } from './tree.ts';
import type { Element } from './tree.ts';

const url = 'https://example.com/a/b';
const read = (html: string, more = {}): string => readPage(html, { url, ...more }).text;

describe('Markdown', () => {
  it.each([
    ['headings', '<h1>A <em>b</em></h1><h3>C</h3><h2></h2>', '# A _b_\n\n### C'],
    ['paragraphs and lines', '<p>a\n  b<br>c<p>d</p>e<div>f</div>', 'a b\nc\n\nd\n\ne\n\nf'],
    ['marks', '<b>a</b> <strong></strong><i>b<i>c</i></i> <del>d</del> <code>e  f</code>', '**a** _bc_ ~~d~~ `e f`'],
    ['lists', '<ul><li>a<li>b<ul><li>c</ul><li><p>d<p>e</ul>', '- a\n- b\n  - c\n- d\n\n  e'],
    ['numbers', '<ol start=3><li>x<li>y</ol>', '3. x\n4. y'],
    ['quotes', '<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>', '> a\n>\n> b\n>\n> > c'],
    ['quotes, eight deep', `${'<blockquote>'.repeat(20)}a`, `${'> '.repeat(8)}a`],
    ['code', '<pre><code>if (a) {\n  b();\n}\n</code></pre>', '```\nif (a) {\n  b();\n}\n```'],
    ['code with fences', '<pre>```\nx\n````</pre>', '`````\n```\nx\n````\n`````'],
    ['tables', '<table><tr><th>A<th>B<tr><td>1|2<td><b>x</b></table>', '| A | B |\n| --- | --- |\n| 1\\|2 | **x** |'],
    ['tables with holes', '<table><tr><th>A<th>B<tr><td>1</table>', '| A | B |\n| --- | --- |\n| 1 |  |'],
    ['tables for looks', '<table><tr><td><p>a</p><td><p>b</p></table>', 'a\n\nb'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\n\nb\n\nc\n\nd'],
    ['entities', '&lt;p&gt; &amp;amp; &nbsp;&#8364; &hellip; &copy', '\\<p> &amp; \u00a0€ … ©'],
    ['text after text', '<span>a</span><span>b</span> <a>c</a>', 'ab c'],
  ])('has %s', (_, html, text) => {
    expect(read(html)).toBe(text);
  });

  it.each([
    ['relative', '<a href="c?d=1#e">x</a>', '[x](https://example.com/a/c?d=1#e)'],
    ['of another base', '<base href="/z/"><a href="c">x</a>', '[x](https://example.com/z/c)'],
    ['without a scheme', '<a href="//other.example">x</a>', '[x](https://other.example/)'],
    ['to the page itself', '<a href="#top">x</a>', 'x'],
    ['that run', '<a href="javascript:alert(1)">x</a><a href=" JaVa\nscript:alert(1)">y</a>', 'xy'],
    ['with data', '<a href="data:text/html,x">x</a>', 'x'],
    ['without text', 'a<a href="/x"></a>b', 'ab'],
    ['around a card', '<a href="/x"><div><h3>A</h3><p>b</p></div></a>', '[A b](https://example.com/x)'],
    ['around a page', `<a href="/x"><p>${'word '.repeat(100)}</p></a>`, 'word '.repeat(100).trim()],
  ])('has links %s', (_, html, text) => {
    expect(read(html)).toBe(text);
  });

  it.each([
    ['a link', '[x](javascript:alert(1))', '[x]\\(javascript:alert(1))'],
    ['a link in pieces', '[x<b></b>]<i></i>(javascript:alert(1))', '[x]\\(javascript:alert(1))'],
    ['a link in another', '<a href="/y">a](javascript:x) [b</a>', '[a]\\(javascript:x) [b](https://example.com/y)'],
    ['the end of a target', '<a href="/y)![i](//t.example">x</a>', '[x](https://example.com/y%29![i]%28//t.example)'],
    ['a target defined', '[x]: javascript:alert(1)', '[x]\\: javascript:alert(1)'],
    [
      'an image',
      '![x](https://t.example/i) !<a href="/y">z</a>',
      '!\\[x]\\(https://t.example/i) ! [z](https://example.com/y)',
    ],
    ['an address in angles', 'a &lt;javascript:alert(1)&gt;', 'a \\<javascript:alert(1)>'],
    ['an element', 'Array&lt;a href="javascript:x"&gt;', 'Array&lt;a href="javascript:x">'],
    ['a fence', '<p>```<p>~~~<pre>[x](javascript:x)</pre>', '\\`\\`\\`\n\n\\~~~\n\n```\n[x](javascript:x)\n```'],
    ['the end of code', '<code>`a` [x](javascript:x)</code>', '\\`a\\` [x]\\(javascript:x)'],
    ['what escapes', 'C:\\dir\\`x', 'C:\\dir\\\\\\`x'],
  ])('has words that look like %s as words', (_, html, text) => {
    expect(read(html)).toBe(text);
  });

  it('has images as links, if they are wanted', () => {
    const html = 'a <img src="i.png" alt="An i"> <a href="/"><img src="/j.png"></a> <img src="data:image/png,x">';
    expect(read(html)).toBe('a');
    expect(read(html, { keepImages: true })).toBe(
      'a [image: An i](https://example.com/a/i.png) [[image: ](https://example.com/j.png)](https://example.com/)',
    );
  });
});

describe('the main text', () => {
  const text = 'A sentence that says something, with a comma. '.repeat(8);
  const around = (inside: string): string =>
    `<header><p>Head</p></header><nav><ul><li><a href=/>Home</a></ul></nav>${inside}<div class="sidebar"><p>Related: ${text}</p></div><footer>Foot</footer>`;

  it.each([
    ['main', `<div><main><p>${text}</p></main></div>`],
    ['a role', `<div role="main"><p>${text}</p></div>`],
    ['an article', `<div><article><p>${text}</p></article></div>`],
    ['an id', `<div id="content"><p>${text}</p></div>`],
    ['most paragraphs', `<div><div>x</div><div><p>${text}</p><p>${text}</p></div></div>`],
  ])('is found by %s', (_, inside) => {
    expect(read(around(inside)).replaceAll(/\s+/g, ' ')).toMatch(
      /^(A sentence that says something, with a comma\. ?){8,16}$/,
    );
  });

  it('is all of a page that marks nothing', () => {
    expect(read('<p>One.</p><p>Two.</p>')).toBe('One.\n\nTwo.');
  });

  it('is not a landmark without text', () => {
    expect(read(`<main></main><div><p>${text}</p></div>`)).toBe(text.trim());
  });

  it('is all of several articles', () => {
    const html = `<div><article><p>One. ${text}</p></article><article><p>Two. ${text}</p></article></div>`;
    expect(read(html)).toMatch(/^One\.[^]*Two\./);
  });

  it('falls back to navigation and description if there is no other text', () => {
    expect(read('<nav><a href="/x">Start</a></nav>')).toBe('[Start](https://example.com/x)');
    expect(read('<meta name=description content="A page  of scripts"><div id=app></div>')).toBe('A page of scripts');
  });

  it('has nothing that people do not see: scripts, styles, forms, comments, hidden elements and letters', () => {
    const html = `<p>Seen.</p><script>a</script><style>b</style><template>c</template><noscript>d</noscript><!-- e -->
      <p hidden>f</p><p style="color:red; display : none">g</p><p style="visibility:hidden">h</p><p aria-hidden=true>i</p>
      <textarea>j</textarea><select><option>k</select><button>l</button><svg><title>m</title><text>n</text></svg>
      <iframe>o</iframe><object>p</object><p onclick="q()">S\u200be\u202ee\u{e0071}n.</p>`;
    expect(readPage(`<title>T</title>${html}`, { url })).toEqual({ title: 'T', text: 'Seen.\n\nSeen.', notes: [] });
  });
});

describe('a page that is elsewhere', () => {
  const notes = (html: string): readonly string[] => readPage(html, { url }).notes;

  it.each([
    ['0; url=/next', 'https://example.com/next'],
    ["5;URL = 'https://other.example/a?b=(1)'", 'https://other.example/a?b=%281%29'],
    ['0,next', 'https://example.com/a/next'],
    ['3;url=javascript:alert(1)', undefined],
    ['30', undefined],
    ['', undefined],
  ])('is reported, not followed: %j', (content, address) => {
    const note = `The page redirects browsers, which was not followed, to ${address}`;
    expect(notes(`<meta http-equiv="Refresh" content="${content}"><p>Moved.`)).toEqual(
      address === undefined ? [] : [note],
    );
  });

  it('is reported if it is in frames, and there is nothing else', () => {
    const frames =
      '<frameset><frame src="a.html"><frame src="javascript:x"><frame></frameset><iframe src="//b.example">';
    expect(notes(frames)).toEqual([
      'The text is in frames; open_link can open them: https://example.com/a/a.html, https://b.example/',
    ]);
    expect(notes(`<p>Text.</p><iframe src="/advertisement"></iframe>`)).toEqual([]);
  });
});

describe('subtitles', () => {
  const notes = (html: string): readonly string[] => readPage(html, { url }).notes;

  it('are listed if a page names them for its media', () => {
    const html = `<video src="a.mp4"><track src="en.vtt?a=1&amp;b=2" srclang="en" label="English"><track kind=captions src='/de.srt' srclang=de>
      <track kind="chapters" src="c.vtt"><track src="javascript:alert(1)"></video><p>Text.</p>`;
    expect(notes(html)).toEqual([
      'Subtitles (open them with open_link): English https://example.com/a/en.vtt?a=1&b=2, de https://example.com/de.srt',
    ]);
  });

  it('are listed if a video player has a list of them', () => {
    const tracks = [
      {
        baseUrl: 'https://video.example/timedtext?v=x[1]&lang=en',
        name: { simpleText: 'English' },
        languageCode: 'en',
      },
      { baseUrl: '/timedtext?lang=de', name: { runs: [{ text: 'Deutsch ](x)' }] } },
      { baseUrl: 'file:///x', languageCode: 'fr' },
      { baseUrl: 7 },
      null,
    ];
    const html = `<script>var player = {"captions":{"captionTracks":${JSON.stringify(tracks)},"more":[1]}};</script><p>A film.</p>`;
    expect(notes(html)).toEqual([
      'Subtitles (open them with open_link): English https://video.example/timedtext?v=x[1]&lang=en, Deutsch ]\\(x) https://example.com/timedtext?lang=de',
    ]);
  });

  it.each(['"captionTracks":', '"captionTracks":[', '"captionTracks":[1,2', '"captionTracks":{"a":[]}', '<track src>'])(
    'are none in %j',
    (html) => {
      expect(notes(html)).toEqual([]);
    },
  );
});

describe('a hostile page', () => {
  const size = 100_000;
  it.each([
    ['nested a hundred thousand times', `${'<div>'.repeat(size)}deep`, /deep/],
    ['of open marks', `${'<b>'.repeat(size)}deep${'</i>'.repeat(size)}`, /deep/],
    ['of links in links', `${'<a href=x><i><code>'.repeat(size / 10)}deep`, /deep/],
    ['of paragraphs in marks', `${'<b>'.repeat(size)}${'<p>x'.repeat(size)}`, /x/],
    ['of lists', '<ul><li>x'.repeat(size / 2), /x/],
    ['of quotes', '<blockquote>x\n'.repeat(size / 2), /x/],
    ['of tables', '<table><tr><td>x'.repeat(size / 4), /x/],
    ['of a huge attribute', `<p>a</p><a href="${'x'.repeat(7 * size)}">b</a>`, /a\n\nb/],
    ['of an attribute without an end', `<p>a</p><a href="${'x'.repeat(7 * size)}`, /^a$/],
    ['of many attributes', `<p ${'a=1 '.repeat(size)}>b</p>`, /^b$/],
    ['of comments without an end', `<p>a</p>${'<!--'.repeat(size)}`, /^a/],
    ['of a script without an end', `<p>a</p><script>${'<script>'.repeat(size)}`, /^a$/],
    ['of signs', '<'.repeat(7 * size), /^<+&lt;$/],
    ['of entities', '&amp'.repeat(size), /^&+$/],
    ['of fences', `<pre>${'```a'.repeat(size)}</pre>`, /```a/],
    ['of signs of code', `<p>${'`'.repeat(2 * size)}</p><code>${'`'.repeat(2 * size)}`, /`/],
    ['of what escapes', `<p>${'\\'.repeat(size)}${'<i>\\</i>'.repeat(size / 2)}`, /^\\/],
    ['of subtitles', `<p>a${'<track src=x '.repeat(size)}${'<track src=x>'.repeat(size / 4)}`, /^a$/],
    ['of lists of subtitles', `<p>a</p><script>"captionTracks":[${']'.repeat(7 * size)}`, /^a$/],
    ['of frames', `<p>a</p>${'<iframe src=x>'.repeat(size)}`, /^a/],
    ['of ways on', `<p>a</p>${`<meta http-equiv=refresh content="${';,'.repeat(1_900)}">`.repeat(100)}`, /^a$/],
    ['of brackets', `${'![]('.repeat(size)}${'<a href=)>]</a>'.repeat(size / 4)}`, /^!\\\[/],
    ['of spaces', `<p>${' \n\t'.repeat(2 * size)}x`, /^x$/],
    ['of empty articles', '<article>x</article>'.repeat(size / 4), /x/],
  ])('%s is read all the same', (_, html, text) => {
    const said = read(html);
    expect(said).toMatch(text);
    expect(said.length).toBeLessThan(3 * html.length + 100);
  });

  it('is read only to a depth that our walkers can handle', () => {
    const depth = (element: Element): number =>
      1 + Math.max(0, ...element.children.map((child) => (typeof child === 'string' ? 0 : depth(child))));
    expect(depth(parsePage('<div><b>'.repeat(5_000)).body)).toBeLessThanOrEqual(129);
  });
});

/** Active constructs that a Markdown renderer would create, other than text and web links. */
function active(markdown: string): string[] {
  // From left to right: a backslash escapes nothing in code, and an escaped backtick begins none.
  const outside = markdown.replaceAll(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, 'x');
  return outside.match(/\]\((?!https?:)|\]:|!\[|`|^ *~~~|<[a-z/!?][^<>]*>/gim) ?? [];
}

describe('whatever comes', () => {
  const names = fc.constantFrom(
    'p',
    'div',
    'a',
    'b',
    'ul',
    'li',
    'table',
    'tr',
    'td',
    'pre',
    'code',
    'h1',
    'main',
    'nav',
    'script',
    'title',
    'svg',
    'blockquote',
    'base',
    'img',
  );
  const attributes = fc.constantFrom(
    '',
    ' href="x"',
    ' href=javascript:x',
    ' class="nav y"',
    ' id=z',
    ' hidden',
    ' style="display:none',
    " src='",
    ' =',
    ' a="&lt;"',
  );
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      'word ',
      '&amp;',
      '&#0;',
      '&#xd800;',
      '&#x110000;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?x',
      '<',
      '</',
      '>',
      '/>',
      '"',
      '\u0000',
      '\u{e0041}',
      '`',
      '|',
      '![',
      ']',
      '](javascript:1)',
      '[x]: javascript:1',
      '&lt;javascript:1&gt;',
      '~~~',
      '\\',
    ),
    fc.tuple(names, attributes).map(([name, attribute]) => `<${name}${attribute}>`),
    names.map((name) => `</${name}>`),
  );
  const page = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  const selector = fc.option(fc.oneof(fc.constantFrom('p', '#z', '.y', 'a.nav,main', '', 'a b', '*'), fc.string()), {
    nil: undefined,
  });

  it('is read without an error, as text of bounded length that has nothing unseen and no links that run', () => {
    fc.assert(
      fc.property(page, selector, fc.boolean(), (html, selector, keepImages) => {
        const { text, title } = readPage(html, { url, selector, keepImages });
        expect(`${text}${title}`).not.toMatch(/[\u0000-\u0008\u202a-\u202e]|\u{e0041}/u);
        expect(active(text)).toEqual([]);
        expect(text.length).toBeLessThanOrEqual(60 * (html.length + 10));
        expect(text).toBe(text.replaceAll(/[ \t]+$/gm, ''));
      }),
      { numRuns: 500 },
    );
  });

  it('loses no word that is in no element that is left out', () => {
    const safe = fc.constantFrom(
      '<p>',
      '</p>',
      '<div>',
      '</div>',
      '<b>',
      '</b>',
      '<ul>',
      '<li>',
      '</ul>',
      '<table>',
      '<tr>',
      '<td>',
      '</table>',
      '<pre>',
      '</pre>',
      '<blockquote>',
      '<a href=x>',
      '</a>',
      '<code>',
      '<h2>',
      '</h2>',
    );
    const parts = fc.array(
      fc.oneof(
        safe,
        fc.nat(99).map((number) => ` w${number} `),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(parts, (parts) => {
        const html = `<main>${parts.join('')}`;
        const words = html.match(/\bw\d+\b/g) ?? [];
        expect(read(html).match(/\bw\d+\b/g) ?? []).toEqual(words);
      }),
      { numRuns: 500 },
    );
  });
});
