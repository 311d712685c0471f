import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTexts } from './use-texts.ts';

interface ModelFieldProps {
  readonly model: string;
  /** The known models. */
  readonly models: readonly string[];
  onChange(model: string): void;
}

const other = ' '; // not a valid model id

/** Selects a model: one of a list, or another one by its id. */
export function ModelField({ model, models, onChange }: ModelFieldProps): ReactElement {
  const { models: texts } = useTexts();
  const [isTyping, setIsTyping] = useState(false);
  const isListed = models.includes(model);
  const isOther = isTyping || !isListed;

  function choose(id: string): void {
    setIsTyping(id === other);
    if (id !== other) onChange(id);
  }

  return (
    <div className="field">
      <label htmlFor="model">{texts.model}</label>
      <select id="model" value={isOther ? other : model} onChange={({ target }) => choose(target.value)}>
        {models.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
        <option value={other}>{texts.otherModel}</option>
      </select>
      {isOther && (
        <input
          aria-label={texts.modelId}
          autoComplete="off"
          spellCheck={false}
          value={model}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </div>
  );
}
