// Writes the sandbox's prelude as text, so that bundlers cannot change it: `npm run prelude`.

import { writeFileSync } from 'node:fs';
import { preludeModule, written } from './source.ts';

writeFileSync(written, await preludeModule());
