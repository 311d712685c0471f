import { loadOnce } from '../base/eventually.ts';

// Code of the loop that many runs never need. Each is loaded once, and throws `code_unavailable`.

export const loadAnswers = loadOnce(() => import('./questions/answers.ts'));
export const loadBackground = loadOnce(() => import('./calls/background.ts'));
export const loadInnerCalls = loadOnce(() => import('./inner/inner-calls.ts'));
export const loadLedger = loadOnce(() => import('./budget/ledger.ts'));
export const loadNested = loadOnce(() => import('./inner/begin-nested.ts'));
export const loadResume = loadOnce(() => import('./resume.ts'));
export const loadShrink = loadOnce(() => import('./history-view/shrink.ts'));
export const loadToolsTold = loadOnce(() => import('./turn/tools-told.ts'));
