import { useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/advice.ts';
import { cleared } from './cleared.ts';
import { Unlock } from './unlock.tsx';
import { useTexts } from './use-texts.ts';

interface KeyFieldProps {
  readonly vault: Vault;
  /** Name of the key in the vault. */
  readonly name: string;
  /** Name of the key's service. */
  readonly service: string;
  readonly isSet: boolean;
  readonly isOptional: boolean;
}

/** An API key that can be saved, replaced and removed, but is never shown. */
export function KeyField({ vault, name, service, isSet, isOptional }: KeyFieldProps): ReactElement {
  const { keys: texts } = useTexts();
  const isLocked = useSyncExternalStore(vault.subscribe, () => vault.isLocked);
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string>();

  function attempt(work: Promise<void>): void {
    setProblem(undefined);
    work.catch((error: unknown) => setProblem(problemText(error)));
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    if (value.trim() !== '') attempt(vault.set(name, value.trim()).then(() => setValue(cleared(value))));
  }

  if (isLocked) {
    return <Unlock vault={vault} text={isSet ? texts.savedLocked(service) : texts.locked} />;
  }
  return (
    <form className="field" onSubmit={save}>
      <label htmlFor="key">{texts.label}</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        aria-describedby="key-said"
        placeholder={isSet ? '••••••••••••' : isOptional ? texts.optional : ''}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <button type="submit" disabled={value.trim() === ''}>
        {texts.save}
      </button>
      {isSet && (
        <button type="button" onClick={() => attempt(vault.remove(name))}>
          {texts.remove}
        </button>
      )}
      <p id="key-said" role="status" className={problem === undefined ? 'said' : 'said bad'}>
        {problem ?? (isSet ? texts.saved : '')}
      </p>
    </form>
  );
}
