import type { ReactElement } from 'react';
import { understandsCommandsOnly, modelName } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { Example } from '../data/examples.ts';
import { hrefOf } from '../route.ts';
import { useTexts } from './use-texts.ts';

interface BeginningProps {
  readonly choice: ModelChoice;
  readonly project: string;
  readonly examples: readonly Example[];
  onRun(example: Example): void;
}

/** The first screen: what this is, which model answers, and examples. */
export function Beginning({ choice, project, examples, onRun }: BeginningProps): ReactElement {
  const { beginning: texts } = useTexts();
  const isCommands = understandsCommandsOnly(choice);
  const models = hrefOf({ page: 'models', project });
  return (
    <section className="beginning" aria-labelledby="beginning">
      <img src="/icon.svg" alt="" width="44" height="44" />
      <h2 id="beginning">{texts.heading}</h2>
      <p>{texts.lead}</p>
      <ul>
        {examples.map((example) => (
          <li key={example.id}>
            <button type="button" onClick={() => onRun(example)}>
              <strong>{example.title}</strong>
              <span>{example.about}</span>
              <code aria-hidden="true">{isCommands ? example.command : example.prompt}</code>
            </button>
          </li>
        ))}
      </ul>
      {isCommands ? (
        <p className="hint">
          {texts.noModel}
          <a href={models}>{texts.connect}</a>
          {texts.afterConnect}
        </p>
      ) : (
        <p className="hint">
          {texts.beforeModel}
          <a href={models}>{modelName(choice)}</a>
          {texts.afterModel}
        </p>
      )}
    </section>
  );
}
