import { useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';
import { Unlock } from './unlock.tsx';

interface KeyFieldProps {
  readonly vault: Vault;
  /** Of the key, in the vault. */
  readonly name: string;
  readonly label: string;
  readonly isSet: boolean;
  readonly isOptional: boolean;
}

/** An API key: saved, replaced and removed, but never shown. */
export function KeyField({ vault, name, label, isSet, isOptional }: KeyFieldProps): ReactElement {
  const isLocked = useSyncExternalStore(vault.subscribe, () => vault.isLocked);
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string>();

  function attempt(work: Promise<void>): void {
    setProblem(undefined);
    work.then(
      () => setValue(''),
      (error: unknown) => setProblem(problemText(error)),
    );
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    if (value.trim() !== '') attempt(vault.set(name, value.trim()));
  }

  if (isLocked) {
    const text = isSet ? `The API key for ${label} is saved, but locked.` : 'Your API keys are locked.';
    return <Unlock vault={vault} text={text} />;
  }
  return (
    <form className="field" onSubmit={save}>
      <label htmlFor="key">API key for {label}</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        aria-describedby="key-said"
        placeholder={isSet ? '••••••••••••' : isOptional ? 'Optional' : ''}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <button type="submit" disabled={value.trim() === ''}>
        Save key
      </button>
      {isSet && (
        <button type="button" onClick={() => attempt(vault.remove(name))}>
          Remove key
        </button>
      )}
      <p id="key-said" role="status" className={problem === undefined ? 'said' : 'said bad'}>
        {problem ?? (isSet ? 'An API key is saved in this browser. A new one replaces it.' : '')}
      </p>
    </form>
  );
}
