import { guestConsole } from './console.ts';
import { guestEncoding } from './encoding.ts';
import { guestFormat } from './format.ts';
import { guestFs } from './fs.ts';
import { guestFunctions } from './functions.ts';
import { guestKit } from './kit-of.ts';
import type { GuestSettings } from './kit-of.ts';
import type { Kit } from './kit.ts';
import { guestPlatform } from './platform.ts';
import { guestRun } from './run.ts';
import { guestTimers } from './timers.ts';
import { guestUrl } from './url.ts';

/** What every run has. Each knows its kit and the language alone, so that its source can be sent. */
const parts: readonly ((kit: Kit) => void)[] = [
  guestFormat,
  guestConsole,
  guestTimers,
  guestEncoding,
  guestUrl,
  guestPlatform,
  guestFunctions,
];

/** The source of all that is in the sandbox before the code of the user. */
export function preludeOf(settings: GuestSettings, { withFiles }: { readonly withFiles: boolean }): string {
  const sources = (withFiles ? [...parts, guestFs] : parts).map((part) => `(${part.toString()})(kit);`);
  return `((say, ask) => {
'use strict';
const kit = (${guestKit.toString()})({ say, ask }, ${JSON.stringify(settings)});
const guest = (${guestRun.toString()})(kit);
${sources.join('\n')}
return guest;
})`;
}
