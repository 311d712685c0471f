import { blanksCases } from './blanks.ts';
import { blocksCases } from './blocks.ts';
import { charactersCases } from './characters.ts';
import { exactCases } from './exact.ts';
import { formatterCases } from './formatter.ts';
import { indentationCases } from './indentation.ts';
import { lineBreaksCases } from './line-breaks.ts';
import { literalCases } from './literal.ts';
import { malformedCases } from './malformed.ts';
import { missingCases } from './missing.ts';
import { severalCases } from './several.ts';
import { storedCases } from './stored.ts';
import { uniqueCases } from './unique.ts';
import type { EditCase } from './edit-case.ts';

/** Edit cases: the bytes before and after each edit, and the message that a model reads. */
export const editCases: readonly EditCase[] = [
  ...exactCases,
  ...literalCases,
  ...uniqueCases,
  ...missingCases,
  ...lineBreaksCases,
  ...blanksCases,
  ...charactersCases,
  ...indentationCases,
  ...formatterCases,
  ...storedCases,
  ...severalCases,
  ...blocksCases,
  ...malformedCases,
];
