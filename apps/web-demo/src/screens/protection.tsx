import { useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/advice.ts';
import { cleared } from './cleared.ts';
import { Notice } from './notice.tsx';
import { Unlock } from './unlock.tsx';
import { useTexts } from './use-texts.ts';

interface ProtectionProps {
  readonly vault: Vault;
  /** Locked keys are unlocked at the key of the selected service. */
  readonly isUnlockedAbove: boolean;
}

/** Describes the protection of the keys, with a choice between the two kinds. */
export function Protection({ vault, isUnlockedAbove }: ProtectionProps): ReactElement {
  const { keys: texts } = useTexts();
  const state = useSyncExternalStore(vault.subscribe, () => `${vault.protection} ${vault.isLocked}`);
  const isLocked = state.endsWith('true');
  const isBehindPassphrase = vault.protection === 'passphrase';
  return (
    <section className="protection" aria-labelledby="protection">
      <h2 id="protection">{texts.protection}</h2>
      <p>{isBehindPassphrase ? texts.byPassphrase : texts.byBrowser}</p>
      <p>
        {isBehindPassphrase ? texts.limitsOfPassphrase : texts.limitsOfBrowser} {texts.limits}
      </p>
      {!isLocked && <Passphrase vault={vault} isSet={isBehindPassphrase} />}
      {isLocked && !isUnlockedAbove && <Unlock vault={vault} text={texts.locked} />}
    </section>
  );
}

/** Sets, changes and removes the passphrase of an unlocked vault. */
function Passphrase({ vault, isSet }: { readonly vault: Vault; readonly isSet: boolean }): ReactElement {
  const { keys: texts } = useTexts();
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();

  function protect(next: string | undefined): void {
    setProblem(undefined);
    vault.protect(next).then(
      () => setPassphrase(cleared(passphrase)),
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
      <label htmlFor="passphrase">{texts.passphrase}</label>
      <input
        id="passphrase"
        type="password"
        autoComplete="new-password"
        minLength={12}
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <button type="submit" disabled={passphrase === ''}>
        {isSet ? texts.change : texts.protect}
      </button>
      {isSet && (
        <>
          <button type="button" onClick={vault.lock}>
            {texts.lock}
          </button>
          <button type="button" onClick={() => protect(undefined)}>
            {texts.unprotect}
          </button>
        </>
      )}
    </form>
  );
}
