// Writes the sandbox's prelude as text, so that no bundler of a user ever changes it: `pnpm prelude`.

import { writeFileSync } from 'node:fs';
import { preludeModule, written } from './source.ts';

writeFileSync(written, await preludeModule());
