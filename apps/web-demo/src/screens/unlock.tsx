import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/advice.ts';
import { useTexts } from './use-texts.ts';

/** Unlocks the vault with its passphrase, until the page is closed. */
export function Unlock({ vault, text }: { readonly vault: Vault; readonly text: string }): ReactElement {
  const { keys: texts } = useTexts();
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();

  function unlock(event: FormEvent): void {
    event.preventDefault();
    setProblem(undefined);
    vault.unlock(passphrase).catch((error: unknown) => setProblem(problemText(error)));
  }

  return (
    <form className="field" onSubmit={unlock}>
      <p className="said">
        {text} {texts.unlockHint}
      </p>
      <label htmlFor="unlock">{texts.yourPassphrase}</label>
      <input
        id="unlock"
        type="password"
        autoComplete="current-password"
        aria-invalid={problem !== undefined}
        aria-describedby="unlock-problem"
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <button type="submit" disabled={passphrase === ''}>
        {texts.unlock}
      </button>
      <p id="unlock-problem" role="alert" className="said bad">
        {problem}
      </p>
    </form>
  );
}
