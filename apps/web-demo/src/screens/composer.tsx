import { useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import type { MessageDraft } from '../data/drafts.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { AttachButton } from './attach-button.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { focusByPointer, hasFocusNowhere } from './focus.ts';
import { Notice } from './notice.tsx';
import { SendButton } from './send-button.tsx';
import { ToolsPopover } from './tools-popover.tsx';
import { useAttaching } from './use-attaching.ts';
import { useTexts } from './use-texts.ts';

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
  /** True if nothing can be sent for now. */
  readonly isBlocked: boolean;
  /** Sends the draft. */
  onSend(): void;
  onStop(): void;
  readonly children?: ReactNode;
}

/** The message field: text, attachments by choice, paste or drop, and the tools in use. */
export function Composer(props: ComposerProps): ReactElement {
  const { workspace, opened, draft, placeholder, onDraft, isKept, field, isRunning, isBlocked, onSend } = props;
  const { text, attachments, lost } = draft;
  const { composer: texts } = useTexts();
  const attaching = useAttaching(draft, onDraft);
  const button = useFocusOnField(field, isRunning);
  const canSend = !isRunning && !isBlocked && (text.trim() !== '' || attachments.length > 0);

  function send(): void {
    if (!canSend) return;
    onSend();
    focusByPointer(field.current);
    attaching.dismiss();
  }

  function key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <div className="composer" onDrop={attaching.drop} onDragOver={(event) => event.preventDefault()}>
      {attaching.problems.map((problem) => (
        <Notice key={problem} text={problem} onDismiss={() => attaching.dismiss(problem)} />
      ))}
      {lost.length > 0 && <Notice text={texts.lostAttachments(lost)} onDismiss={() => onDraft({ lost: [] })} />}
      {!isKept && <p className="hint">{texts.draftNotKept}</p>}
      <AttachmentList attachments={attachments} onChange={(attachments) => onDraft({ attachments })} />
      <div className="box">
        <textarea
          ref={field}
          id="message"
          aria-label={texts.message}
          placeholder={placeholder}
          rows={1}
          value={text}
          onChange={({ target }) => onDraft({ text: target.value })}
          onKeyDown={key}
          onPaste={attaching.paste}
        />
        <div className="actions">
          <AttachButton onFiles={attaching.attach} />
          <ToolsPopover {...{ workspace, opened, isRunning }} />
          {props.children}
          <SendButton ref={button} {...{ isRunning, canSend }} onSend={send} onStop={props.onStop} />
        </div>
      </div>
    </div>
  );
}

/**
 * Keeps the focus in the field when it is shown, and when the button that had it is disabled.
 */
function useFocusOnField(
  field: RefObject<HTMLTextAreaElement | null>,
  isRunning: boolean,
): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);

  // A layout effect, because a page that is shown again after its code was loading runs no other effect.
  useLayoutEffect(() => {
    if (hasFocusNowhere() || isNew()) focusByPointer(field.current);
  }, [field]);

  // Looked up before the button is disabled: some browsers blur it at once.
  const hadFocus = button.current?.matches(':focus');

  // Moves the focus only if it was on the button.
  useLayoutEffect(() => {
    if (button.current?.disabled && hadFocus) focusByPointer(field.current);
  }, [isRunning, field]);

  return button;
}

/**
 * True if somebody has just asked for a new conversation.
 */
function isNew(): boolean {
  return document.activeElement instanceof HTMLAnchorElement && document.activeElement.matches('.new');
}
