import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent, KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import { attachmentsOf } from '../data/attachments.ts';
import type { MessageDraft } from '../data/drafts.ts';
import { hostOf } from '../data/host.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Settings } from './elements.tsx';
import { focusByPointer, hasFocusNowhere } from './focus.ts';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

interface ComposerProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
  readonly draft: MessageDraft;
  readonly placeholder: string;
  onDraft(changes: Partial<MessageDraft>): void;
  /** True if the browser stores the draft. */
  readonly isKept: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly isRunning: boolean;
  /** Nothing can be sent for now. */
  readonly isBlocked: boolean;
  /** Sends the draft. */
  onSend(): void;
  onStop(): void;
  readonly children?: ReactNode;
}

/** Where a message is written: text, files by choice, paste or drop, and the tools that may be used. */
export function Composer({
  workspace,
  opened,
  draft,
  placeholder,
  onDraft,
  isKept,
  field,
  isRunning,
  isBlocked,
  onSend,
  onStop,
  children,
}: ComposerProps): ReactElement {
  const { text, attachments, lost } = draft;
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [wantsTools, setWantsTools] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const host = useMemo(() => hostOf(opened, { vault: workspace.vault }), [opened, workspace]);
  const button = useRef<HTMLButtonElement>(null);
  const canSend = !isRunning && !isBlocked && (text.trim() !== '' || attachments.length > 0);
  const latest = useRef(attachments);
  latest.current = attachments;

  // Also when a page is shown again that was hidden while another one was loading: an effect would not be run then.
  useLayoutEffect(() => {
    if (hasFocusNowhere() || isNew()) focusByPointer(field.current);
  }, [field]);

  // Who pressed Stop is not left on a button that cannot be used; whoever is elsewhere stays there.
  useLayoutEffect(() => {
    if (button.current?.disabled && document.activeElement === button.current) focusByPointer(field.current);
  }, [isRunning, field]);

  async function attach(files: readonly File[]): Promise<void> {
    const taken = await attachmentsOf(files);
    onDraft({ attachments: [...latest.current, ...taken.attachments] });
    setProblems(taken.problems);
  }

  function send(): void {
    if (!canSend) return;
    onSend();
    focusByPointer(field.current);
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
      {lost.length > 0 && <Notice text={lostText(lost)} onDismiss={() => onDraft({ lost: [] })} />}
      {!isKept && (
        <p className="hint">The browser has no room to keep this draft: send it before you close the page.</p>
      )}
      {attachments.length > 0 && (
        <ul className="attachments" aria-label="Attached">
          {attachments.map((attachment, index) => (
            <li key={index}>
              <bdi>{attachment.name}</bdi>
              <button
                type="button"
                aria-label={`Remove ${attachment.name}`}
                onClick={() => onDraft({ attachments: attachments.filter((other) => other !== attachment) })}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="box">
        <textarea
          ref={field}
          id="message"
          aria-label="Message"
          placeholder={placeholder}
          rows={1}
          value={text}
          onChange={({ target }) => onDraft({ text: target.value })}
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
            <button ref={button} type="button" className="primary" onClick={onStop}>
              <Icon name="stop" /> Stop
            </button>
          ) : (
            <button ref={button} type="button" className="primary" disabled={!canSend} onClick={send}>
              <Icon name="send" /> Send
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Whether somebody has just asked for a new conversation. */
function isNew(): boolean {
  return document.activeElement instanceof HTMLAnchorElement && document.activeElement.matches('.new');
}

function lostText(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`).join(', ');
  return names.length === 1
    ? `${quoted} was attached to this draft, and is not kept when the page is loaded again. Attach it again.`
    : `${quoted} were attached to this draft, and are not kept when the page is loaded again. Attach them again.`;
}
