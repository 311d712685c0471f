import type { ReactElement, Ref } from 'react';
import { Icon } from './icon.tsx';
import { useTexts } from './use-texts.ts';

interface SendButtonProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly isRunning: boolean;
  readonly canSend: boolean;
  onSend(): void;
  onStop(): void;
}

/** Sends the message, or stops the current answer. */
export function SendButton({ ref, isRunning, canSend, onSend, onStop }: SendButtonProps): ReactElement {
  const { composer: texts } = useTexts();
  return isRunning ? (
    <button ref={ref} type="button" className="primary" onClick={onStop}>
      <Icon name="stop" /> {texts.stop}
    </button>
  ) : (
    <button ref={ref} type="button" className="primary" disabled={!canSend} onClick={onSend}>
      <Icon name="send" /> {texts.send}
    </button>
  );
}
