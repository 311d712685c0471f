import { grammarsOf } from '../read/grammar.ts';
import { dialectFor, families } from '../dialects/dialect-of-model.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName } from '../dialects/dialects.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { indexTools } from '../read/tool-index.ts';
import { writeInDialect } from '../write/write-calls.ts';
import { described, familySources } from './family-sources.ts';
import { formats, formatTools } from './formats.ts';
import { traps } from './traps.ts';

/** The page `docs/dialects.md`, from the data of the package and of its tests. */
export function dialectPage(): string {
  const names = Object.keys(dialects) as DialectName[];
  return `${[head, table(names), rowsHead, rows(), calls(names)].join('\n\n')}\n`;
}

const head = `# Dialects

Formats in which models write tool calls as text, for servers that do not parse them. This page is generated from
\`packages/text-dialects/src\` by \`vitest run --project node packages/text-dialects/src/dialects/dialect-page.test.ts -u\`.

No model was run to write this page: test your model before you rely on its row. Each source is a chat template or a parser in a
public repository, with which the format was compared. The templates of ${unread()} rows could not be read: these rows follow descriptions.
**Tested forms** counts the outputs of a family, including its usual mistakes, in \`formats.ts\` and \`traps.ts\` of \`packages/text-dialects/src/test-kit\`. In
addition, for every dialect, random calls are written and read back (2,000 in \`npm run test:long\`), and chunking does not change the result.`;

/** Number of rows whose chat template could not be read. */
function unread(): number {
  return Object.values(familySources).filter((from) => from.startsWith(described)).length;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const code = (text: string): string => `\`${text.replaceAll('\n', '↵')}\``;

/** The number of traps for the models of a dialect. */
const byDialect = new Map<DialectName, number>();
for (const [id, cases] of Object.entries(traps))
  byDialect.set(dialectFor(id), (byDialect.get(dialectFor(id)) ?? 0) + cases.length);

function table(names: readonly DialectName[]): string {
  const lines = names.map((name) => {
    const dialect: Dialect = dialects[name];
    const { thoughts = { open: '<think>', close: '</think>' }, grammar, after, inAuto } = dialect;
    const of = families.filter((family) => family.dialect === name);
    const cases = (formats[name]?.length ?? 0) + (byDialect.get(name) ?? 0);
    const opened = of.some(({ opensThoughts }) => opensThoughts === true) ? ', may be opened by the template' : '';
    return row([
      code(name),
      of.length === 0 ? '–' : of.map(({ models }) => code(models.source)).join(', '),
      `${grammar.kind}${others(dialect)}`,
      `${code(thoughts.open)} … ${code(thoughts.close)}${opened}`,
      after === 'stop' ? 'no' : 'yes',
      inAuto === false ? 'for its own models only' : 'yes',
      cases === 0 ? '–' : String(cases),
    ]);
  });
  const title = [
    'dialect',
    'model ids (regular expressions)',
    'grammar',
    'reasoning tags',
    'several calls a turn',
    'read in `auto`',
    'tested forms',
  ];
  return ['## Families', '', tableNote, '', row(title), row(title.map(() => '---')), ...lines].join('\n');
}

const tableNote = `Dialects without model ids are never chosen by id. Forms that are only read are older templates, or calls without special
tokens that a server has dropped. Dialects without tested forms have their tests in \`packages/text-dialects/src/read/grammars.test.ts\`.`;

/** Number of forms that are read and never written. */
function others(dialect: Dialect): string {
  const count = grammarsOf(dialect).length - 1;
  return count === 0 ? '' : `; ${count} more ${count === 1 ? 'form is' : 'forms are'} read`;
}

const rowsHead = `## Sources

The first row that matches the id of a model counts. Unknown models get \`hermes\`.`;

function rows(): string {
  const title = ['model id', 'dialect', 'reasoning opened by the template', 'source'];
  const lines = families.map(({ models: { source }, dialect, opensThoughts }) =>
    row([code(source), code(dialect), opensThoughts === true ? 'yes' : 'no', familySources[source] ?? '']),
  );
  return [row(title), row(title.map(() => '---')), ...lines].join('\n');
}

function calls(names: readonly DialectName[]): string {
  const written = names.flatMap((name) => [
    `### ${name}`,
    '',
    '````text',
    writeInDialect(
      dialects[name],
      [
        { name: 'f', input: { n: 2 } },
        { name: 'h', input: {} },
      ],
      indexTools(formatTools),
    ),
    '````',
    '',
  ]);
  return ['## Examples', '', 'Two calls in each dialect.', '', ...written].join('\n').trimEnd();
}
