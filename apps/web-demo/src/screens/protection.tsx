import { useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';
import { Notice } from './notice.tsx';
import { Unlock } from './unlock.tsx';

interface ProtectionProps {
  readonly vault: Vault;
  /** Locked keys are unlocked at the key of the chosen service. */
  readonly isUnlockedAbove: boolean;
}

/** How the keys are protected, in words, and the choice between the two ways. */
export function Protection({ vault, isUnlockedAbove }: ProtectionProps): ReactElement {
  const state = useSyncExternalStore(vault.subscribe, () => `${vault.protection} ${vault.isLocked}`);
  const isLocked = state.endsWith('true');
  const isBehindPassphrase = vault.protection === 'passphrase';
  return (
    <section className="protection" aria-labelledby="protection">
      <h2 id="protection">How your keys are kept</h2>
      <p>
        {isBehindPassphrase
          ? 'Encrypted with your passphrase, which is stored nowhere: if you forget it, enter the keys again. They are open from when you unlock them until the page is closed.'
          : 'Encrypted with a key that this browser made and lets no script read. There is nothing to type.'}
      </p>
      <p>
        This protects a copy of the browser’s storage
        {isBehindPassphrase ? '' : ', though not one taken together with the browser’s own key store'}. It does not
        protect against somebody who uses this browser while the page is open, against extensions that may read the
        page, or against the service itself, which sees its key. Give your keys a spending limit if the service offers
        one.
      </p>
      {!isLocked && <Passphrase vault={vault} isSet={isBehindPassphrase} />}
      {isLocked && !isUnlockedAbove && <Unlock vault={vault} text="Your API keys are locked." />}
    </section>
  );
}

/** Sets, changes and removes the passphrase of an open vault. */
function Passphrase({ vault, isSet }: { readonly vault: Vault; readonly isSet: boolean }): ReactElement {
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();

  function protect(next: string | undefined): void {
    setProblem(undefined);
    vault.protect(next).then(
      () => setPassphrase(''),
      (error: unknown) => setProblem(problemText(error)),
    );
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    protect(passphrase);
  }

  return (
    <form className="field" onSubmit={submit}>
      {problem !== undefined && <Notice text={problem} onDismiss={() => setProblem(undefined)} />}
      <label htmlFor="passphrase">A passphrase</label>
      <input
        id="passphrase"
        type="password"
        autoComplete="new-password"
        minLength={12}
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <button type="submit" disabled={passphrase === ''}>
        {isSet ? 'Change the passphrase' : 'Protect with a passphrase'}
      </button>
      {isSet && (
        <>
          <button type="button" onClick={vault.lock}>
            Lock
          </button>
          <button type="button" onClick={() => protect(undefined)}>
            Do without a passphrase
          </button>
        </>
      )}
    </form>
  );
}
