import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';

/** Opens the vault with its passphrase, until the page is closed. */
export function Unlock({ vault, text }: { readonly vault: Vault; readonly text: string }): ReactElement {
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();

  function unlock(event: FormEvent): void {
    event.preventDefault();
    setProblem(undefined);
    vault.unlock(passphrase).catch((error: unknown) => setProblem(problemText(error)));
  }

  return (
    <form className="field" onSubmit={unlock}>
      <p className="said">{text} Unlock your keys with your passphrase.</p>
      <label htmlFor="unlock">Your passphrase</label>
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
        Unlock
      </button>
      <p id="unlock-problem" role="alert" className="said bad">
        {problem}
      </p>
    </form>
  );
}
