import { useRef } from 'react';
import type { ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { useTexts } from './use-texts.ts';

/** Opens the browser's file dialog. */
export function AttachButton({ onFiles }: { onFiles(files: readonly File[]): void }): ReactElement {
  const { composer: texts } = useTexts();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet" onClick={() => picker.current?.click()}>
        <Icon name="attach" /> {texts.attach}
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}
