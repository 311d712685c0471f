// Words that no tracked file may contain: about one machine, or about how the code came about.

const unwanted: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(?<![\w.~*-])\/(?:work|root\/\.[a-z]+)\//, 'a path of one machine'],
  [/(?<![\w.])\/tmp\/(?:bash_jobs|common|env)\b/, 'a path of one machine'],
  [/\bregistry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)\b/, 'the host of a registry: say "the npm registry"'],
  [/\bissue #?\d+\b/i, 'the number of an issue: say what it is about'],
  [/\b(?:this|previous|last|earlier|next|another) session\b/i, 'how the code came about'],
];

/** Each line that says something unwanted. */
export function findUnwanted(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    unwanted.flatMap(([pattern, why]) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}": ${why}`];
    }),
  );
}
