// Threads for apps: lists, branches, copies, background calls. Everything a run needs of them is in the root entry.
export { alternativesTo, branchOf, branchThread, lastMessageOf } from './branch.ts';
export { cancelDetached, detachedCalls } from './detached-calls.ts';
export type { CancelledDetached, DetachedCall } from './detached-calls.ts';
export { exportThread } from './export-thread.ts';
export { deleteThread, listThreads } from './summary.ts';
export type { ThreadSummary } from './summary.ts';
export { isUnfinished } from '../model/history.ts';
