'use client';

export type { LiveRun } from '@utensil/elements/view';
export { useFiles } from './use-files.ts';
export type { FilesState } from './use-files.ts';
export { useRegistry } from './use-registry.ts';
export { useRun } from './use-run.ts';
export { useSettings } from './use-settings.ts';
export type { SettingsState } from './use-settings.ts';
export { useThread } from './use-thread.ts';
export type { ThreadState } from './use-thread.ts';
