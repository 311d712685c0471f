import { guestCallSites } from './call-sites.ts';
import { guestConsole } from './console.ts';
import { guestEncoding } from './encoding.ts';
import { guestFetch } from './fetch.ts';
import { guestFormat } from './format.ts';
import { guestFs } from './fs.ts';
import { guestFunctions } from './functions.ts';
import { guestKit } from './kit-of.ts';
import type { GuestSettings } from './kit-of.ts';
import type { Kit } from './kit.ts';
import { guestPlatform } from './platform.ts';
import { guestRun } from './run.ts';
import type { Guest } from './run.ts';
import { guestTimers } from './timers.ts';
import { guestUrl } from './url.ts';
import { guestUtf8 } from './utf8.ts';

/** Parts of every run. Each uses only its kit and the language. */
const parts: readonly ((kit: Kit) => void)[] = [
  guestCallSites,
  guestFormat,
  guestConsole,
  guestTimers,
  guestUtf8,
  guestEncoding,
  guestUrl,
  guestPlatform,
  guestFunctions,
  guestFs,
  guestFetch,
];

/**
 * Everything in the sandbox before the code of the user. The engines receive it as text, `prelude-text.ts`, which `npm
 * run prelude` writes: after bundling, the source of a function may call helpers that exist only in the bundle.
 */
export function prelude(say: (text: string) => void, ask: (text: string) => string, settings: string): Guest {
  const kit = guestKit({ say, ask }, JSON.parse(settings) as GuestSettings);
  const guest = guestRun(kit);
  for (const part of parts) part(kit);
  return guest;
}
