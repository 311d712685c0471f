import { useState, useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import { addressProblem, choiceOf, keyName } from '../data/model-choice.ts';
import type { ModelSettings, ServiceSettings } from '../data/model-choice.ts';
import { labelOf, serviceOf } from '../data/services.ts';
import type { Workspace } from '../data/workspace.ts';
import { ConnectionTest } from './connection-test.tsx';
import { DialectHint } from './dialect-hint.tsx';
import { KeyField } from './key-field.tsx';
import { ModelField } from './model-field.tsx';
import { useTexts } from './use-texts.ts';

interface ServiceFieldsProps {
  readonly workspace: Workspace;
  readonly settings: ModelSettings;
  onChange(own: ServiceSettings): void;
}

/** Fields of the selected service: address, key, model. */
export function ServiceFields({ workspace, settings, onChange }: ServiceFieldsProps): ReactElement {
  const { models: texts } = useTexts();
  const { vault, modelLists } = workspace;
  const names = useSyncExternalStore(vault.subscribe, vault.names);
  const choice = choiceOf(settings);
  const { service: _, ...own } = choice;
  const { address: usual, key, models, mayTakeNoTools } = serviceOf(choice.service);
  const name = keyName(choice);
  const isSet = names.includes(name);
  const [lists, setLists] = useState<ReadonlyMap<string, readonly string[]>>(modelLists);
  const problem = own.address ? addressProblem(own.address) : undefined;

  return (
    <div className="fields">
      {usual !== undefined && (
        <div className="field">
          <label htmlFor="address">{texts.address}</label>
          <input
            id="address"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={usual}
            value={own.address ?? usual}
            aria-invalid={problem !== undefined}
            aria-describedby="address-problem"
            onChange={({ target }) => onChange({ ...own, address: target.value.trim() })}
          />
          <p id="address-problem" className="said bad">
            {problem}
          </p>
        </div>
      )}
      {key !== 'none' && (
        <KeyField
          key={`key ${name}`}
          vault={vault}
          name={name}
          service={labelOf(choice.service)}
          isSet={isSet}
          isOptional={key === 'optional'}
        />
      )}
      <ModelField
        key={`model ${choice.service}`}
        model={own.model}
        models={[...new Set([...models, ...(lists.get(name) ?? [])])]}
        onChange={(model) => onChange({ ...own, model })}
      />
      {mayTakeNoTools === true && <DialectHint model={own.model} />}
      <ConnectionTest
        key={`test ${name} ${own.address ?? ''} ${isSet}`}
        choice={choice}
        vault={vault}
        onModels={(found) => setLists(new Map(modelLists.set(name, found)))}
      />
    </div>
  );
}
