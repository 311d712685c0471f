import type { ReactElement } from 'react';
import { understandsCommandsOnly, modelName } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { Example } from '../data/examples.ts';
import { hrefOf } from '../route.ts';

interface BeginningProps {
  readonly choice: ModelChoice;
  readonly project: string;
  readonly examples: readonly Example[];
  onRun(example: Example): void;
}

/** The first screen: what this is, who answers, and what to try. */
export function Beginning({ choice, project, examples, onRun }: BeginningProps): ReactElement {
  const isCommands = understandsCommandsOnly(choice);
  const models = hrefOf({ page: 'models', project });
  return (
    <section className="beginning" aria-labelledby="beginning">
      <img src="/icon.svg" alt="" width="44" height="44" />
      <h2 id="beginning">Utensil is a TypeScript SDK for LLM tools</h2>
      <p>This demo runs in your browser: real files, real tool calls, no account.</p>
      <ul>
        {examples.map((example) => (
          <li key={example.title}>
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
          No model yet: try commands, or <a href={models}>connect one</a>.
        </p>
      ) : (
        <p className="hint">
          <a href={models}>{modelName(choice)}</a> answers here.
        </p>
      )}
    </section>
  );
}
