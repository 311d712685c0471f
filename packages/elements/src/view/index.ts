// Views of threads and runs, independent of a screen: for elements, hooks and apps.
export type { CallOutcome, CallResult, CallStatus, CallView, InnerTurn, Question } from './call-view.ts';
export type { CallItem, ItemView, MessageView, Notice, RetryView, ThreadView } from './message-view.ts';
export { noRun } from './live-run.ts';
export type { LiveRun } from './live-run.ts';
export { threadView } from './thread-view.ts';
export { foldRun } from './fold-run.ts';
export { liveElsewhere } from './elsewhere.ts';
export type { StoredRun } from './elsewhere.ts';
export { followThread } from './follow-thread.ts';
export type { FollowedThread, FollowingThread, FollowOptions, ThreadNews } from './follow-thread.ts';
export { noticeOf } from './notice.ts';
export { rowsOf } from './rows.ts';
export type { Rows } from './rows.ts';
