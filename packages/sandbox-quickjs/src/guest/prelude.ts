import { guestCallSites } from './call-sites.ts';
import { guestConsole } from './console.ts';
import { guestEncoding } from './encoding.ts';
import { guestFetch } from './fetch.ts';
import { guestFormat } from './format.ts';
import { guestFs } from './fs.ts';
import { guestFunctions } from './functions.ts';
import { guestKit } from './kit-of.ts';
import type { Kit } from './kit.ts';
import { guestPlatform } from './platform.ts';
import { guestRun } from './run.ts';
import { guestTimers } from './timers.ts';
import { guestUrl } from './url.ts';
import { guestUtf8 } from './utf8.ts';

/** What every run has. Each knows its kit and the language alone, so that its source can be sent. */
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

/** The source of all that is in the sandbox before the code of the user: a function of what it reaches of the host. */
export function preludeSource(): string {
  return `((say, ask, settings) => {
'use strict';
const kit = (${guestKit.toString()})({ say, ask }, JSON.parse(settings));
const guest = (${guestRun.toString()})(kit);
${parts.map((part) => `(${part.toString()})(kit);`).join('\n')}
return guest;
})`;
}
