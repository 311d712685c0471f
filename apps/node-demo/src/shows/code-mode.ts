import { type Message, textOf } from '@utensil/core';
import type { Show } from './show.ts';

const code = `const paths = (await tools.glob_files({ pattern: '/data/*.csv' })).split('\\n');
const tables = await Promise.all(paths.map((path) => tools.filesystem({ command: 'view', path: '/' + path })));
const sums = tables.map((table) => {
  const rows = table.split('\\n').slice(2).map((line) => line.slice(line.indexOf('\\t') + 1)); // a heading, and the names of the columns
  return rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0);
});
const report = {
  files: Object.fromEntries(paths.map((path, index) => [path, sums[index]])),
  total: sums.reduce((total, sum) => total + sum, 0),
};
await tools.write_file({ path: 'out/report.json', content: JSON.stringify(report, null, 2) + '\\n' });
return report.total;`;

/** One program by the model in place of many calls. */
export const codeMode: Show = {
  about: 'a model writes one program that calls the tools, in place of five calls',
  files: {
    '/data/north.csv': 'customer,amount\nAda,120\nGrace,75\nEdsger,5\n',
    '/data/south.csv': 'customer,amount\nAlan,40\nBarbara,260\n',
    '/data/west.csv': 'customer,amount\nDonald,7\nFrances,13\nTony,80\n',
  },
  request: 'Read every csv in /data, sum column 2, and write /out/report.json.',
  script: [
    { text: 'One program can do all of that.', calls: [{ name: 'javascript', input: { code } }] },
    ({ messages }) => ({ text: outcome(messages.at(-1)) }),
  ],
};

/** Result of the call, in the words of a model that has read it. */
function outcome(message: Message | undefined): string {
  const [result] = message?.parts ?? [];
  if (result?.type !== 'tool-result') return 'The program was not run.';
  const said = textOf(result.modelParts);
  if (!result.isError) return `The total is ${said}. The report is in /out/report.json.`;
  if (result.toolFingerprint === undefined)
    return 'The program was declined, so it did not run. No report was written.';
  if (/denied/.test(said)) return 'The program ran, but writing the report was declined. No report was written.';
  return `The program failed, and no report was written: ${said}`;
}
