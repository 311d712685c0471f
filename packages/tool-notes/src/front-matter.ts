/** Parses the front matter of a Markdown file: `key: text` between two lines of `---`, with continuation lines. */
export function frontMatterOf(markdown: string): ReadonlyMap<string, string> {
  const [first = '', ...lines] = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex(isFence);
  const values = new Map<string, string>();
  let key: string | undefined;
  for (const line of isFence(first) ? lines.slice(0, Math.max(0, end)) : []) {
    const [, name, text = ''] = /^([\w-]+):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) {
      key = name;
      values.set(key, isBlock.test(text.trim()) ? '' : text.trim());
    } else if (key !== undefined && /^[ \t]+\S/.test(line)) {
      values.set(key, `${values.get(key)} ${line.trim()}`.trim());
    }
  }
  return new Map([...values].map(([name, text]) => [name, unquoted(text)]));
}

function isFence(line: string): boolean {
  return line.trimEnd() === '---';
}

/** Marker of a multi-line text in YAML. */
const isBlock = /^[>|][+-]?$/;

function unquoted(text: string): string {
  const [, quote, inner = ''] = /^(["'])(.*)\1$/.exec(text) ?? [];
  if (quote === undefined) return text;
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\])/g, '$1');
}
