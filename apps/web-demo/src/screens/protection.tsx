import { useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';
import { Notice } from './notice.tsx';

/** How the keys are protected, in words, and the choice between the two ways. */
export function Protection({ vault }: { readonly vault: Vault }): ReactElement {
  const state = useSyncExternalStore(vault.subscribe, () => `${vault.protection} ${vault.isLocked}`);
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const isLocked = state.endsWith('true');
  const isBehindPassphrase = vault.protection === 'passphrase';

  function attempt(work: Promise<void>): void {
    setProblem(undefined);
    work.then(
      () => setPassphrase(''),
      (error: unknown) => setProblem(problemText(error)),
    );
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    attempt(isLocked ? vault.unlock(passphrase) : vault.protect(passphrase));
  }

  return (
    <section className="protection" aria-labelledby="protection">
      <h2 id="protection">How your keys are kept</h2>
      {problem !== undefined && <Notice text={problem} onDismiss={() => setProblem(undefined)} />}
      <p>
        {isBehindPassphrase
          ? 'Sealed behind your passphrase, which is stored nowhere: who forgets it enters the keys again. They are open from when you unlock them until the page is closed.'
          : 'Sealed with a key that this browser made and lets no script read. There is nothing to type.'}
      </p>
      <p>
        This protects a copy of the browser’s storage
        {isBehindPassphrase ? '' : ', though not one taken together with the browser’s own key store'}. It does not
        protect against somebody who uses this browser while the page is open, against extensions that may read the
        page, or against the service itself, which sees its key. Give your keys a spending limit where the service
        offers one.
      </p>
      <form className="field" onSubmit={submit}>
        <label htmlFor="passphrase">{isLocked ? 'Your passphrase' : 'A passphrase'}</label>
        <input
          id="passphrase"
          type="password"
          autoComplete={isLocked ? 'current-password' : 'new-password'}
          minLength={isLocked ? undefined : 12}
          value={passphrase}
          onChange={({ target }) => setPassphrase(target.value)}
        />
        <button type="submit" disabled={passphrase === ''}>
          {isLocked ? 'Unlock' : isBehindPassphrase ? 'Change the passphrase' : 'Protect with a passphrase'}
        </button>
        {isBehindPassphrase && !isLocked && (
          <>
            <button type="button" onClick={vault.lock}>
              Lock
            </button>
            <button type="button" onClick={() => attempt(vault.protect(undefined))}>
              Do without a passphrase
            </button>
          </>
        )}
      </form>
    </section>
  );
}
