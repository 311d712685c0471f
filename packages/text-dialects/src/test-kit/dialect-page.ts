import { grammarsOf } from '../grammar.ts';
import { dialectFor, families } from '../dialect-of-model.ts';
import { dialects } from '../dialects.ts';
import type { DialectName } from '../dialects.ts';
import type { Dialect } from '../dialect.ts';
import { indexTools } from '../tool-index.ts';
import { writeInDialect } from '../write-calls.ts';
import { formats, formatTools } from './formats.ts';
import { traps } from './traps.ts';

/** The page `docs/dialects.md`, from the data of the package and of its tests. */
export function dialectPage(): string {
  const names = Object.keys(dialects) as DialectName[];
  return `${[head, table(names), rowsHead, rows(), calls(names)].join('\n\n')}\n`;
}

const head = `# Dialects

Dialects in which models call tools in text, for hosts that run models without a server that reads their calls. This page is generated from the data in
\`packages/text-dialects/src\` by \`vitest run --project node packages/text-dialects/src/dialect-page.test.ts -u\`.

No model was run for it: try your model before you rely on its row. If the second table names a file of a public
repository, the form of the calls was compared with that file; if it says \`not read\`, the row is from descriptions alone.
**Proven** says how many forms that models write are read correctly (\`formats.test.ts\`, \`traps.test.ts\`). Also, for every dialect: any call
that is written is read again (2,000 random calls in \`npm run test:long\`), and the parts are the same for any chunks of a text.`;

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
    const opened = of.some(({ opensThoughts }) => opensThoughts === true) ? ', opened by some templates' : '';
    return row([
      code(name),
      of.length === 0 ? '–' : of.map(({ models }) => code(models.source)).join(', '),
      `${grammar.kind}${grammarsOf(dialect).length > 1 ? `, and ${grammarsOf(dialect).length - 1} more to read` : ''}`,
      `${code(thoughts.open)} … ${code(thoughts.close)}${opened}`,
      after === 'stop' ? 'one call a turn' : 'yes',
      inAuto === false ? 'only for its models' : 'yes',
      cases === 0 ? 'in other tests' : `${cases} forms`,
    ]);
  });
  const title = [
    'dialect',
    'models (parts of their ids)',
    'grammar',
    'thoughts',
    'parallel calls',
    'in `auto`',
    'proven',
  ];
  return ['## Families', '', row(title), row(title.map(() => '---')), ...lines].join('\n');
}

const rowsHead = `## Where it is known from

The first row whose pattern is in the id of a model counts; the default is \`hermes\`.`;

function rows(): string {
  const title = ['models', 'dialect', 'template opens thoughts', 'from'];
  const lines = families.map(({ models, dialect, opensThoughts, from }) =>
    row([code(models.source), code(dialect), opensThoughts === true ? 'yes' : '', from]),
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
  return ['## Two calls in each', '', ...written].join('\n').trimEnd();
}
