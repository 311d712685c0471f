import { expect, it } from 'vitest';
import { commandStatus } from './status.ts';

it.each([
  ['File created successfully at: /a.md', 'File created successfully at: /a.md'],
  ["Here's the content of /a.md with line numbers:\n     1\tone\n     2\t/two", '2 lines'],
  ["Here's the content of /a.md:\none\ntwo\n", '3 lines'],
  ["Here's the content of /a.md with line numbers:\n(empty)", '(empty)'],
  ["Here're the files and directories up to 2 levels deep in /:\n9\t/a.md\n1.5K\t/b.md\n[and more]", '2 items'],
  ["Here're the files and directories up to 2 levels deep in /:\n9\t/a.md", '1 item'],
  ['', ''],
])('the line on a result is how much it shows, not its heading: %j', (output, status) => {
  expect(commandStatus(output)).toBe(status);
});
