import { UtensilApproval as ApprovalElement } from '@utensil/elements/approval';
import type { AnswerDetail } from '@utensil/elements/approval';
import { UtensilCall as CallElement } from '@utensil/elements/call';
import { UtensilDiff as DiffElement } from '@utensil/elements/diff';
import { UtensilFiles as FilesElement } from '@utensil/elements/files';
import { UtensilMarkdown as MarkdownElement } from '@utensil/elements/markdown';
import { UtensilSettings as SettingsElement } from '@utensil/elements/settings';
import { UtensilThread as ThreadElement } from '@utensil/elements/thread';
import type { FunctionComponent } from 'react';
import { component } from './component.ts';
import type { ElementProps } from './component.ts';

interface ThreadEvents {
  readonly onAnswer: AnswerDetail;
  readonly onRegenerate: { readonly messageId: string };
  readonly onEdit: { readonly messageId: string; readonly text: string };
  readonly onContinue: { readonly messageId?: string };
  readonly onBranch: { readonly messageId: string; readonly to: number };
}

/** What {@link UtensilThread} takes. */
export type ThreadProps = ElementProps<
  ThreadElement,
  'messages' | 'live' | 'run' | 'registry' | 'branches' | 'loadImages',
  ThreadEvents
>;

/** `<utensil-thread>`: a conversation of any length, as it is stored and as it goes on. */
export const UtensilThread: FunctionComponent<ThreadProps> = component<ThreadProps>(ThreadElement, 'utensil-thread', {
  onAnswer: 'utensil-answer',
  onRegenerate: 'utensil-regenerate',
  onEdit: 'utensil-edit',
  onContinue: 'utensil-continue',
  onBranch: 'utensil-branch',
});

/** What {@link UtensilSettings} takes. */
export type SettingsProps = ElementProps<
  SettingsElement,
  'registry' | 'settings' | 'host' | 'models' | 'secrets' | 'compact' | 'busy',
  object
>;

/** `<utensil-settings>`: which tools are on, and how each is set. */
export const UtensilSettings: FunctionComponent<SettingsProps> = component<SettingsProps>(
  SettingsElement,
  'utensil-settings',
);

/** What {@link UtensilFiles} takes. */
export type FilesProps = ElementProps<
  FilesElement,
  'files' | 'history' | 'path',
  { readonly onSelect: { readonly path: string } }
>;

/** `<utensil-files>`: the files of a project, with their past. */
export const UtensilFiles: FunctionComponent<FilesProps> = component<FilesProps>(FilesElement, 'utensil-files', {
  onSelect: 'utensil-select',
});

/** What {@link UtensilCall} takes. */
export type CallProps = ElementProps<CallElement, 'call' | 'open', object>;

/** `<utensil-call>`: a call with its input, its progress and its result. */
export const UtensilCall: FunctionComponent<CallProps> = component<CallProps>(CallElement, 'utensil-call');

/** What {@link UtensilApproval} takes. */
export type ApprovalProps = ElementProps<
  ApprovalElement,
  'question' | 'registry' | 'canRemember',
  { readonly onAnswer: AnswerDetail }
>;

/** `<utensil-approval>`: a question of a run, and its answers. */
export const UtensilApproval: FunctionComponent<ApprovalProps> = component<ApprovalProps>(
  ApprovalElement,
  'utensil-approval',
  {
    onAnswer: 'utensil-answer',
  },
);

/** What {@link UtensilDiff} takes. */
export type DiffProps = ElementProps<DiffElement, 'oldText' | 'newText' | 'label', object>;

/** `<utensil-diff>`: how a text differs from another. */
export const UtensilDiff: FunctionComponent<DiffProps> = component<DiffProps>(DiffElement, 'utensil-diff');

/** What {@link UtensilMarkdown} takes. */
export type MarkdownProps = ElementProps<MarkdownElement, 'text' | 'isStreaming' | 'loadImages', object>;

/** `<utensil-markdown>`: Markdown that nobody has to trust. */
export const UtensilMarkdown: FunctionComponent<MarkdownProps> = component<MarkdownProps>(
  MarkdownElement,
  'utensil-markdown',
);
