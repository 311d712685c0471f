export { guardedFetch } from './guarded-fetch.ts';
export type { BrowserGuardOptions } from './guarded-fetch.ts';
export type { GuardOptions } from './options.ts';
