import { loadOnce } from '../base/eventually.ts';

/** Checks and runs calls. Loaded with the first run or call, and available synchronously afterwards. */
export const calls = loadOnce(() => import('../call/prepare.ts'));
