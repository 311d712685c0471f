import { useEffect, useState, useSyncExternalStore } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { firstChoice, keyName, readChoice, writeChoice } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import { serviceOf, services } from '../data/services.ts';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Notice } from './notice.tsx';
import { Protection } from './protection.tsx';

/** Which model answers, and with whose key. */
export function ModelsPage({
  workspace,
  opened,
}: {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
}): ReactElement {
  const { vault } = workspace;
  const [choice, setChoice] = useState<ModelChoice>(firstChoice);
  const [problem, setProblem] = useState<string>();
  const names = useSyncExternalStore(vault.subscribe, vault.names);
  const service = serviceOf(choice.service);

  useEffect(() => {
    readChoice(opened.records).then(setChoice, (error: unknown) => setProblem(problemText(error)));
  }, [opened]);

  function choose(next: ModelChoice): void {
    setChoice(next);
    writeChoice(opened.records, next).catch((error: unknown) => setProblem(problemText(error)));
  }

  return (
    <div className="page">
      <h1>Models</h1>
      <p className="lead">
        Who answers in this project. Your keys stay in this browser, and are sent to nobody but the service that they
        are for.
      </p>
      {problem !== undefined && <Notice text={problem} onDismiss={() => setProblem(undefined)} />}
      <fieldset>
        <legend>Service</legend>
        {services.map(({ id, label, hint, models }) => (
          <div className="service" key={id}>
            <input
              type="radio"
              name="service"
              id={`service-${id}`}
              aria-describedby={`hint-${id}`}
              checked={choice.service === id}
              onChange={() => choose({ service: id, model: models[0] ?? '' })}
            />
            <label htmlFor={`service-${id}`}>{label}</label>
            <p id={`hint-${id}`}>{hint}</p>
          </div>
        ))}
      </fieldset>
      {service.models.length > 0 && (
        <p className="field">
          <label htmlFor="model">Model</label>
          <input
            id="model"
            list="known-models"
            value={choice.model}
            onChange={({ target }) => choose({ ...choice, model: target.value.trim() })}
          />
          <datalist id="known-models">
            {service.models.map((id) => (
              <option key={id} value={id} />
            ))}
          </datalist>
        </p>
      )}
      {service.address !== undefined && (
        <p className="field">
          <label htmlFor="address">Address</label>
          <input
            id="address"
            type="url"
            value={choice.address ?? service.address}
            onChange={({ target }) => choose({ ...choice, address: target.value.trim() })}
          />
        </p>
      )}
      {(service.needsKey || service.id === 'compatible') && (
        <KeyField
          key={keyName(choice)}
          vault={vault}
          name={keyName(choice)}
          label={service.label}
          isSet={names.includes(keyName(choice))}
          onProblem={setProblem}
        />
      )}
      <Protection vault={vault} />
    </div>
  );
}

interface KeyFieldProps {
  readonly vault: Vault;
  readonly name: string;
  readonly label: string;
  readonly isSet: boolean;
  onProblem(text: string): void;
}

function KeyField({ vault, name, label, isSet, onProblem }: KeyFieldProps): ReactElement {
  const [value, setValue] = useState('');

  function save(event: FormEvent): void {
    event.preventDefault();
    vault.set(name, value.trim()).then(
      () => setValue(''),
      (error: unknown) => onProblem(problemText(error)),
    );
  }

  return (
    <form className="field" onSubmit={save}>
      <label htmlFor="key">Key of {label}</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        placeholder={isSet ? 'A key is stored' : ''}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <button type="submit" disabled={value.trim() === ''}>
        {isSet ? 'Replace the key' : 'Store the key'}
      </button>
      {isSet && (
        <button
          type="button"
          onClick={() => void vault.remove(name).catch((error: unknown) => onProblem(problemText(error)))}
        >
          Forget the key
        </button>
      )}
    </form>
  );
}
