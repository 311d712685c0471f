import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilMarkdown } from './markdown.ts';

async function shown(text: string, more: Partial<UtensilMarkdown> = {}): Promise<UtensilMarkdown> {
  return mount(UtensilMarkdown, { text, ...more });
}

/** The elements of a text, without those of the controls. */
const markup = ({ renderRoot }: UtensilMarkdown): string =>
  [...renderRoot.children]
    .filter(({ tagName }) => tagName !== 'STYLE')
    .map(({ outerHTML }) => outerHTML)
    .join('')
    .replaceAll(/<!--.*?-->| (?:dir|class|tabindex|role|aria-\w+|rel|target|title)="[^"]*"|\n\s*/g, '');

const hostile = [
  '<script>globalThis.hit = true</script>',
  '<img src=x onerror="globalThis.hit = true">',
  '<svg onload="globalThis.hit = true"></svg>',
  'a <iframe srcdoc="<script>parent.hit = true</script>"></iframe> b',
  '[a](javascript:globalThis.hit=true)',
  '[a](JAVASCRIPT:globalThis.hit=true)',
  '[a](data:text/html,<script>parent.hit=true</script>)',
  '[a](vbscript:x)',
  '<javascript:globalThis.hit=true>',
  '![a](javascript:globalThis.hit=true)',
  '![a](data:text/html;base64,PHNjcmlwdD4=)',
  '![a](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)',
  '![a](https://tracker.example/pixel.png)',
  '[![a](https://tracker.example/pixel.png)](https://a.example)',
  '[a](https://a.example "t\\" onmouseover=\\"globalThis.hit=true")',
  '```"><img src=x onerror=alert(1)>\n</code><script>globalThis.hit=true</script>\n```',
  '| <img src=x onerror=hit> |\n|-|\n| <script>hit</script> |',
  '<a href="https://a.example" onclick="globalThis.hit=true">a</a>',
  '&lt;img src=x onerror=alert(1)&gt; &#60;script&#62;',
];

describe('utensil-markdown', () => {
  it.each([
    ['# A\n\n## B\n\n### C\n\n##### D', '<h3>A</h3><h4>B</h4><h5>C</h5><h6>D</h6>'],
    [
      '*a* **b** ~~c~~ `d` ***e***',
      '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code> <em><strong>e</strong></em></p>',
    ],
    ['a  \nb\\\nc', '<p>a<br>b<br>c</p>'],
    ['- a\n  - b\n    1. c\n- d', '<ul><li>a<ul><li>b<ol start="1"><li>c</li></ol></li></ul></li><li>d</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['> a\n>\n> - b', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote>'],
    ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
    [
      '- [x] a\n- [ ] b',
      '<ul><li><span>☑</span><span>Done: </span>a</li><li><span>☐</span><span>To do: </span>b</li></ul>',
    ],
    ['a &lt;b&gt; &amp; \\*c\\*', '<p>a &lt;b&gt; &amp; *c*</p>'],
    [
      '[a](https://a.example/x) <https://b.example> www.c.example',
      '<p><a href="https://a.example/x">a</a> <a href="https://b.example/">https://b.example</a> <a href="http://www.c.example/">www.c.example</a></p>',
    ],
    ['[a]\n\n[a]: https://a.example', '<p><a href="https://a.example/">a</a></p>'],
  ])('renders %j', async (text, expected) => {
    expect(markup(await shown(text))).toBe(expected);
  });

  it('renders tables with their alignment', async () => {
    const { renderRoot } = await shown('| a | b |\n|:-:|--:|\n| 1 | `2` |');
    const cells = [...renderRoot.querySelectorAll('th, td')];
    expect(cells.map(({ tagName, className, textContent }) => [tagName, className, textContent])).toEqual([
      ['TH', 'center', 'a'],
      ['TH', 'right', 'b'],
      ['TD', 'center', '1'],
      ['TD', 'right', '2'],
    ]);
  });

  it('renders code with its language, and copies it', async () => {
    const { renderRoot } = await shown('```ts\nconst a = `<b>`;\n```');
    expect(renderRoot.querySelector('.language')?.textContent).toBe('ts');
    expect(renderRoot.querySelector('pre')?.textContent).toBe('const a = `<b>`;');
    expect(renderRoot.querySelector('button')?.ariaLabel).toBe('Copy: ts');
  });

  it.each([
    ['output', 'Output'],
    ['', 'Code'],
    ['constructor', 'constructor'],
  ])('calls a fence %j by its name for people, not every one “Code”', async (language, name) => {
    const { renderRoot } = await shown('```' + language + '\n1\n```');
    expect(renderRoot.querySelector('.language')?.textContent).toBe(name);
  });

  it('runs no script, links only to web addresses, and loads no image from the network', async () => {
    for (const isStreaming of [false, true]) {
      const { renderRoot } = await shown(hostile.join('\n\n'), { isStreaming });
      expect(
        renderRoot.querySelectorAll('script, img, svg, iframe, object, embed, form, [onerror], [onclick]'),
      ).toHaveLength(0);
      const links = [...renderRoot.querySelectorAll('a')];
      expect(new Set(links.map(({ href }) => href))).toEqual(new Set(['https://a.example/']));
      expect(links.every(({ rel, target }) => rel === 'noopener noreferrer nofollow' && target === '_blank')).toBe(
        true,
      );
      expect(renderRoot.textContent).toContain('<script>globalThis.hit = true</script>');
      expect(renderRoot.textContent).toContain('Image from tracker.example');
    }
    expect('hit' in globalThis).toBe(false);
  });

  it('has no such thing in whatever is written', async () => {
    const element = await shown('');
    const piece = fc.constantFrom(
      ...hostile,
      '\n',
      '\n\n',
      '- ',
      '> ',
      '`',
      '*',
      '[',
      '](',
      ')',
      '| a |\n|-|\n',
      '<',
      '&#x6a;',
      '\t',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        element.text = pieces.join('');
        await element.updateComplete;
        expect(element.renderRoot.querySelectorAll('script, img, svg, iframe, object, embed, form')).toHaveLength(0);
        for (const { href } of element.renderRoot.querySelectorAll('a')) expect(href).toMatch(/^(?:https?|mailto):/);
      }),
      { numRuns: 200 },
    );
  });

  it('says where a link leads that pretends to lead elsewhere, and names what cannot be seen', async () => {
    const { renderRoot } = await shown(
      '[https://bank.example](https://evil.example) [pay](https://аpple.com) [ok](https://c.example) a\u202eb',
    );
    expect(renderRoot.textContent).toContain('https://bank.example (evil.example)');
    expect(renderRoot.textContent).toContain('pay (xn--pple-43d.com)');
    expect(renderRoot.textContent).toContain('ok a⟨U+202E⟩b');
    expect([...renderRoot.querySelectorAll('a')].map(({ title }) => title)).toEqual([
      'evil.example',
      'xn--pple-43d.com',
      'c.example',
    ]);
  });

  const own = 'data:image/png;base64,iVBORw0KGgo=';

  it.each([
    ['[bank&#46;example](https://evil.example)', 'bank.example'],
    ['[bank&#x2e;example](https://evil.example)', 'bank.example'],
    ['[bank。example](https://evil.example)', 'bank。example'],
    ['[Log in at bank.example, now](https://evil.example)', 'Log in at bank.example, now'],
    ['[ftp:bank.example](https://evil.example)', 'ftp:bank.example'],
    ['[ftp://bank.example/x](https://evil.example)', 'ftp://bank.example/x'],
    ['[ba**nk**.ex*am*ple](https://evil.example)', 'bank.example'],
    ['[`bank.example`](https://evil.example)', 'bank.example'],
    ['[bank\\.example](https://evil.example)', 'bank.example'],
    ['[~~bank~~.example][x]\n\n[x]: https://evil.example', 'bank.example'],
    ['[ba&#8203;nk.example](https://evil.example)', 'ba⟨U+200B⟩nk.example'],
    ['[&#8238;elpmaxe.knab](https://evil.example)', '⟨U+202E⟩elpmaxe.knab'],
    ['[ba&shy;nk.example](https://evil.example)', 'ba&shy;nk.example'],
    ['[ｂａｎｋ．ｅｘａｍｐｌｅ](https://evil.example)', 'ｂａｎｋ．ｅｘａｍｐｌｅ'],
    ['[help@bank.example](mailto:thief@evil.example)', 'help@bank.example'],
    ['| a |\n|---|\n| [bank&#46;example](https://evil.example) |', 'bank.example'],
    ['# [bank&#46;example](https://evil.example)', 'bank.example'],
  ])('a link could name another host than the one it leads to: %s', async (text, words) => {
    const { renderRoot } = await shown(text);
    const [first] = renderRoot.querySelectorAll('a');
    expect(first?.textContent).toBe(words);
    expect(first?.nextElementSibling?.className).toBe('place');
    expect(first?.nextElementSibling?.textContent).toMatch(/^\((?:thief@)?evil\.example\)$/);
  });

  it('says where a link leads that is an image, whose words nobody can check', async () => {
    const { renderRoot } = await shown(`[![bank.example](${own} "bank.example")](https://evil.example)`);
    expect(renderRoot.querySelector('a img')?.getAttribute('alt')).toBe('bank.example');
    expect(renderRoot.querySelector('a img')?.hasAttribute('title')).toBe(false);
    expect(renderRoot.querySelector('.place')?.textContent).toBe('(evil.example)');
  });

  it('a title that names another host is shown nowhere', async () => {
    const { renderRoot } = await shown(
      '[a](https://evil.example "bank.example") ![b](https://evil.example/b.png "bank.example")',
    );
    expect(renderRoot.querySelector('a')?.title).toBe('evil.example');
    const attributes = [...renderRoot.querySelectorAll('*')].flatMap((each) => [...each.attributes]);
    expect(attributes.filter(({ value }) => value.includes('bank.example'))).toEqual([]);
    expect(renderRoot.textContent).not.toContain('bank.example');
    expect(renderRoot.querySelector('.chip')?.textContent).toContain('Image from evil.example: b');
  });

  it('adds no note to an honest link', async () => {
    const { renderRoot } = await shown(
      '[docs](https://a.example) https://a.example/x.b.example?c=d.example <https://a.example> www.a.example [A.example](https://www.a.example) me@a.example',
    );
    expect(renderRoot.querySelectorAll('a')).toHaveLength(6);
    expect(renderRoot.querySelectorAll('.place')).toHaveLength(0);
  });

  it('shows an image that the text carries, and one from the network when it is asked for, unless the page says no', async () => {
    const own = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    const away = 'https://images.invalid/a.png';
    const element = await shown(`![own](${own}) ![away](${away})`);
    const sources = (): readonly string[] => [...element.renderRoot.querySelectorAll('img')].map(({ src }) => src);
    const load = async (): Promise<void> => {
      element.renderRoot.querySelector<HTMLElement>('.chip button')?.click();
      await element.updateComplete;
    };
    expect(sources()).toEqual([own]);
    element.addEventListener('utensil-load-image', (event) => event.preventDefault(), { once: true });
    await load();
    expect(sources()).toEqual([own]);
    await load();
    expect(sources()).toEqual([own, away]);
  });

  it('renders unfinished Markdown as the element that it is becoming', async () => {
    const element = await shown('', { isStreaming: true });
    const text =
      'Some **bold words**, `code`, ~~gone~~ and [a link](https://a.example).\n\n- one **b**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x;\n```\n';
    for (let end = 1; end <= text.length; end++) {
      element.text = text.slice(0, end);
      await element.updateComplete;
      const words = element.renderRoot.textContent;
      expect(words, `after ${JSON.stringify(text.slice(0, end))}`).not.toMatch(/\*\*|`|~~|\]\(|\[a|\|/);
      expect(element.renderRoot.querySelectorAll('h3, h4').length).toBe(0);
    }
    const tags = [...element.renderRoot.querySelectorAll('p, ul, .table, .code')].map(({ localName }) => localName);
    expect(tags).toEqual(['p', 'ul', 'div', 'div']);
  });

  it('touches only its last block while a text grows', async () => {
    const before = Array.from({ length: 200 }, (_, index) => `Paragraph **${index}**.\n\n`).join('');
    const element = await shown(`${before}The l`, { isStreaming: true });
    const touched = new Set<Node>();
    const observer = new MutationObserver((records) => records.forEach(({ target }) => touched.add(target)));
    const paragraphs = [...element.renderRoot.querySelectorAll('p')];
    observer.observe(element.renderRoot, { subtree: true, childList: true, characterData: true });
    element.text += 'ast *one*';
    await element.updateComplete;
    for (const record of observer.takeRecords()) touched.add(record.target);
    observer.disconnect();
    expect(paragraphs.at(-1)?.textContent).toBe('The last one');
    expect(touched.size).toBeGreaterThan(0);
    expect(paragraphs.slice(0, -1).some((paragraph) => [...touched].some((node) => paragraph.contains(node)))).toBe(
      false,
    );
  });

  it('shows a megabyte, and nesting without an end', async () => {
    const { renderRoot } = await shown('> '.repeat(10_000) + 'deep\n\n' + '- '.repeat(10_000) + 'deep');
    expect(renderRoot.textContent).toContain('deep');
    const long = await shown('word '.repeat(200_000));
    expect(long.renderRoot.textContent.length).toBeGreaterThanOrEqual(999_000);
    const blocks = await shown('a\n\n'.repeat(100_000));
    expect(blocks.renderRoot.querySelectorAll('*').length).toBeLessThan(5_000);
  });

  it('has nothing that keeps people out', async () => {
    const element = await shown(
      '# A\n\nText [link](https://a.example) ![b](https://b.example/c.png)\n\n- [x] d\n\n| e |\n|-|\n| f |\n\n```js\ng\n```\n\n> h `i`',
    );
    expect(await accessibilityProblems(element)).toEqual([]);
  });
});

it('shows a table that is too wide as text, and the following text as usual', async () => {
  const row = (cell: string): string => `| ${`${cell} | `.repeat(1_000_000)}\n`;
  const { renderRoot } = await shown(`${row('a')}${row('-')}${row('b')}\nand **more**`);
  expect(renderRoot.querySelector('table')).toBeNull();
  expect(renderRoot.querySelectorAll('.written').length).toBeGreaterThan(100);
  expect(renderRoot.querySelector('strong')?.textContent).toBe('more');
});
