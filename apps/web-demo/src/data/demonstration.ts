import type { Model } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';

/** The program that the demonstration runs: many calls of tools in one of the model's. */
export const program = `
const names = (await fs.readdir('/data')).filter((name) => name.endsWith('.csv')).sort();
const texts = await Promise.all(names.map((name) => tools.filesystem({ command: 'view', path: '/data/' + name })));
const sums = Object.fromEntries(names.map((name, at) => {
  const rows = texts[at].split('\\n').slice(1).map((line) => line.replace(/^\\s*\\d+\\t/, '').split(','));
  return [name, rows.reduce((sum, [, amount]) => sum + (Number(amount) || 0), 0)];
}));
const total = Object.values(sums).reduce((sum, each) => sum + each, 0);
await fs.writeFile('/out/report.json', JSON.stringify({ sums, total }, null, 2));
return { files: names.length, total };
`;

/** No model: it makes one fixed call, whatever it is told, and repeats what came of it. */
export function demonstration(): Model {
  return scriptedModel([
    {
      text: 'I read every .csv in /data and add up its second column.',
      calls: [{ name: 'javascript', input: { code: program } }],
    },
    { text: 'The sums are in /out/report.json. That was one call of mine, however many files there are.' },
  ]);
}
