import { once } from '../base/eventually.ts';

/** Checks and runs calls. Loaded with the first run or call, and available synchronously afterwards. */
export const calls = /* @__PURE__ */ once(() => import('../call/prepare.ts'));
