import type { ContentPart } from '@utensil/core';
import { useMemo, useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent, KeyboardEvent, ReactElement, ReactNode } from 'react';
import { attachmentsOf } from '../data/attachments.ts';
import type { Attachment } from '../data/attachments.ts';
import { hostOf } from '../data/host.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Settings } from './elements.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

interface ComposerProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  readonly draft: string;
  onDraft(text: string): void;
  readonly isRunning: boolean;
  onSend(parts: readonly ContentPart[]): void;
  onStop(): void;
  readonly children?: ReactNode;
}

/** Where a message is written: text, files by choice, paste or drop, and the tools that may be used. */
export function Composer({
  workspace,
  opened,
  draft,
  onDraft,
  isRunning,
  onSend,
  onStop,
  children,
}: ComposerProps): ReactElement {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [wantsTools, setWantsTools] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const host = useMemo(() => hostOf(opened, { vault: workspace.vault }), [opened, workspace]);
  const canSend = !isRunning && (draft.trim() !== '' || attachments.length > 0);

  async function attach(files: readonly File[]): Promise<void> {
    const taken = await attachmentsOf(files);
    setAttachments((known) => [...known, ...taken.attachments]);
    setProblems(taken.problems);
  }

  function send(): void {
    if (!canSend) return;
    const text = draft.trim();
    onSend([...attachments.map(({ part }) => part), ...(text === '' ? [] : [{ type: 'text', text } as const])]);
    onDraft('');
    setAttachments([]);
    setProblems([]);
  }

  function key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  function paste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach([...event.clipboardData.files]);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    void attach([...event.dataTransfer.files]);
  }

  return (
    <div className="composer" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      {problems.map((problem) => (
        <Notice
          key={problem}
          text={problem}
          onDismiss={() => setProblems(problems.filter((other) => other !== problem))}
        />
      ))}
      {attachments.length > 0 && (
        <ul className="attachments" aria-label="Attached">
          {attachments.map((attachment, index) => (
            <li key={index}>
              <bdi>{attachment.name}</bdi>
              <button
                type="button"
                aria-label={`Remove ${attachment.name}`}
                onClick={() => setAttachments(attachments.filter((other) => other !== attachment))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="box">
        <textarea
          aria-label="Message"
          placeholder="Write a message, or a command such as “list”"
          rows={1}
          value={draft}
          onChange={({ target }) => onDraft(target.value)}
          onKeyDown={key}
          onPaste={paste}
        />
        <div className="actions">
          <button type="button" className="quiet" onClick={() => picker.current?.click()}>
            <Icon name="attach" /> Attach
          </button>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              void attach([...(target.files ?? [])]);
              target.value = '';
            }}
          />
          <button
            type="button"
            className="quiet"
            popoverTarget="composer-tools"
            onPointerEnter={() => void Settings.load()}
            onFocus={() => void Settings.load()}
          >
            <Icon name="tools" /> Tools
          </button>
          <div
            id="composer-tools"
            popover="auto"
            aria-label="Tools of this project"
            onBeforeToggle={() => setWantsTools(true)}
          >
            {wantsTools && (
              <Settings compact busy={isRunning} registry={workspace.registry} settings={opened.settings} host={host} />
            )}
          </div>
          {children}
          {isRunning ? (
            <button type="button" className="primary" onClick={onStop}>
              <Icon name="stop" /> Stop
            </button>
          ) : (
            <button type="button" className="primary" disabled={!canSend} onClick={send}>
              <Icon name="send" /> Send
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
