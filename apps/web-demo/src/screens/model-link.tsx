import type { ReactElement } from 'react';
import { modelName } from '../data/model-choice.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import { hrefOf } from '../route.ts';
import { Icon } from './icon.tsx';
import { useTexts } from './use-texts.ts';

/** The selected model, next to the message field; links to its settings. */
export function ModelLink({
  choice,
  project,
}: {
  readonly choice: ModelChoice;
  readonly project: string;
}): ReactElement {
  const name = modelName(choice);
  const text = useTexts().composer.model(name);
  return (
    <a className="model" href={hrefOf({ page: 'models', project })} aria-label={text} title={text}>
      <Icon name="models" /> <span>{name}</span>
    </a>
  );
}
