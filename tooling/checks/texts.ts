// Mutates one character of each text of the file tools, in memory, and requires that the table in
// tooling/fixtures/texts/src/fixture.json detects it: `npm run check -- texts`.

import { mutateTexts } from '../fixtures/texts/src/mutate.ts';
import { loadSubjects } from '../fixtures/texts/src/subjects.ts';

const total = { literals: 0, caught: 0 };
for (const subject of await loadSubjects()) {
  const { literals, caught, problems } = await mutateTexts(subject);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0 || literals === 0) process.exitCode = 1;
  total.literals += literals;
  total.caught += caught;
}
console.log(`texts: ${total.literals} literals, ${total.caught} caught`);
