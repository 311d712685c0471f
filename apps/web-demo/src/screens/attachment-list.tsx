import type { ReactElement } from 'react';
import type { Attachment } from '../data/attachments.ts';
import { Icon } from './icon.tsx';
import { useTexts } from './use-texts.ts';

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  onChange(attachments: readonly Attachment[]): void;
}

/** Attachments of the message, each with a button to remove it. */
export function AttachmentList({ attachments, onChange }: AttachmentListProps): ReactElement | null {
  const { composer: texts } = useTexts();
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={texts.attached}>
      {attachments.map((attachment, index) => (
        <li key={index}>
          <bdi>{attachment.name}</bdi>
          <button
            type="button"
            aria-label={texts.removeAttachment(attachment.name)}
            onClick={() => onChange(attachments.filter((other) => other !== attachment))}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
