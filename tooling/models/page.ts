// The page of features by model: a row per feature, a column per API.

import type { Api } from './apis.ts';
import { type CloudResults, cloudRows } from './clouds.ts';
import type { Feature } from './features.ts';
import type { Results } from './results.ts';

const intro = `# Models

Every model passes the tests of \`modelSuite\` in \`@utensil/core/testing\`, against a local server that speaks the vendor's wire
format and rejects the requests that the vendor rejects. \`npm run models\` writes this page from the test report, and the check
\`models\` compares them.

**Nothing here was tested against a live vendor.** Answers and rejections of the servers follow the vendors' documentation. Vendors may
behave differently: please report differences.
`;

interface Table {
  readonly apis: readonly Api[];
  readonly features: readonly Feature[];
  readonly results: readonly Results[];
  readonly clouds?: readonly CloudResults[];
}

export function renderPage({ apis, features, results, clouds = [] }: Table): string {
  const reasons = reasonsOf(features, results);
  const list = [...reasons.entries()].map(([reason, number]) => `${number}. ${reason}`);
  return [
    intro,
    `## Factories\n`,
    '| factory | for | wire format |',
    '| --- | --- | --- |',
    ...apis.map((api) => `| [\`${api.factory}\`](../${api.package}) | ${api.vendor} | \`${api.id}\` |`),
    '\n## Tested features\n',
    'The notes below the table give the reason for each omission. Omitted tests are run too, and must fail.\n',
    `| | ${apis.map(({ name }) => name).join(' | ')} |`,
    `| --- |${apis.map(() => ' --- |').join('')}`,
    ...features.map((feature) => renderRow(feature, results, reasons)),
    '',
    ...list,
    '\n## Cloud platforms\n',
    "The same mappers and readers, over the clouds' own SDK clients, which sign in. Each passes the suite of its wire format, over a\nserver that answers as the cloud does.\n",
    '| factory | for | as | tests passed | left out |',
    '| --- | --- | --- | --- | --- |',
    ...cloudRows(clouds),
    '\n## Adaptations\n',
    'Features that an API does not support are replaced by similar ones, or left out. Tools are not affected: a tool',
    'gets input that fits its own schema, under its own name and call ids.\n',
    ...apis.flatMap(({ factory, lowered }) => [`**\`${factory}\`**\n`, ...lowered.map((each) => `- ${each}`), '']),
    '[Requests of threads that change vendors](../apps/node-demo/src/continuity/golden) are compared with golden',
    'files, one for each first vendor.\n',
    '## The tests of each row\n',
    ...features.map(({ name, titles }) => `- **${name}**: ${titles.join('; ')}`),
    '',
  ].join('\n');
}

/** Reasons for omissions, numbered in table order. */
function reasonsOf(features: readonly Feature[], results: readonly Results[]): ReadonlyMap<string, number> {
  const all = features.flatMap(({ titles }) => results.flatMap((each) => reasonsFor(titles, each)));
  return new Map([...new Set(all)].map((reason, index) => [reason, index + 1]));
}

function reasonsFor(titles: readonly string[], results: Results): readonly string[] {
  return titles.flatMap((title) => {
    const result = results.get(title);
    return typeof result === 'object' ? [result.leftOut] : [];
  });
}

function renderRow(
  { name, titles }: Feature,
  results: readonly Results[],
  reasons: ReadonlyMap<string, number>,
): string {
  const cells = results.map((each) => {
    const left = reasonsFor(titles, each);
    const numbers = [...new Set(left)].map((reason) => reasons.get(reason)).join(', ');
    if (titles.some((title) => each.get(title) === undefined || each.get(title) === 'failed')) return 'not proven';
    if (left.length === 0) return '✓';
    return left.length === titles.length ? `– (${numbers})` : `in part (${numbers})`;
  });
  return `| ${name} | ${cells.join(' | ')} |`;
}
