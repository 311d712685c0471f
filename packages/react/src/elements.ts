'use client';

// Separate entries, so that code splitting can load each element with the page that uses it.

export { UtensilApproval } from './elements/approval.ts';
export type { ApprovalProps } from './elements/approval.ts';
export { UtensilCall } from './elements/call.ts';
export type { CallProps } from './elements/call.ts';
export { UtensilDiff } from './elements/diff.ts';
export type { DiffProps } from './elements/diff.ts';
export { UtensilFiles } from './elements/files.ts';
export type { FilesProps } from './elements/files.ts';
export { UtensilMarkdown } from './elements/markdown.ts';
export type { MarkdownProps } from './elements/markdown.ts';
export { UtensilRules } from './elements/rules.ts';
export type { RulesProps } from './elements/rules.ts';
export { UtensilSettings } from './elements/settings.ts';
export type { SettingsProps } from './elements/settings.ts';
export { UtensilThread } from './elements/thread.ts';
export type { ThreadProps } from './elements/thread.ts';
export { UtensilValue } from './elements/value.ts';
export type { ValueProps } from './elements/value.ts';
export { UtensilWaiting } from './elements/waiting.ts';
export type { WaitingProps } from './elements/waiting.ts';
