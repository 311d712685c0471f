// Fixes everything that the linter and formatter can: `npm run fix`.

import { runCommand } from './commands.ts';

const outcomes = ['oxlint --fix', 'oxfmt'].map((command) => runCommand(command, { output: 1 }));
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
