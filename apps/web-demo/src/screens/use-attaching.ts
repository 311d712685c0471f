import { useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { attachmentsOf } from '../data/attachments.ts';
import type { MessageDraft } from '../data/drafts.ts';

/** Attaches selected, pasted or dropped files to a draft. */
export interface Attaching {
  /** Reason that files were not attached, with advice. */
  readonly problems: readonly string[];
  /** Clears the problem. */
  dismiss(problem?: string): void;
  attach(files: readonly File[]): void;
  paste(event: ClipboardEvent): void;
  drop(event: DragEvent): void;
}

export function useAttaching(
  { attachments }: MessageDraft,
  onDraft: (changes: Partial<MessageDraft>) => void,
): Attaching {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const latest = useRef(attachments);
  latest.current = attachments;

  async function attach(files: readonly File[]): Promise<void> {
    const taken = await attachmentsOf(files);
    onDraft({ attachments: [...latest.current, ...taken.attachments] });
    setProblems(taken.problems);
  }

  return {
    problems,
    dismiss: (problem) => setProblems(problem === undefined ? [] : problems.filter((other) => other !== problem)),
    attach: (files) => void attach(files),
    paste(event) {
      if (event.clipboardData.files.length === 0) return;
      event.preventDefault();
      void attach([...event.clipboardData.files]);
    },
    drop(event) {
      event.preventDefault();
      void attach([...event.dataTransfer.files]);
    },
  };
}
