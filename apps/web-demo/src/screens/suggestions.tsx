import type { ReactElement } from 'react';
import type { Example } from '../data/examples.ts';
import { useTexts } from './use-texts.ts';

/** Suggestions below an answer without tool calls. */
export function Suggestions({
  examples,
  onRun,
}: {
  readonly examples: readonly Example[];
  onRun(example: Example): void;
}): ReactElement {
  const { chat: texts } = useTexts();
  return (
    <ul className="suggestions" aria-label={texts.suggestions}>
      {examples.map((example) => (
        <li key={example.id}>
          <button type="button" onClick={() => onRun(example)}>
            {example.title}
          </button>
        </li>
      ))}
    </ul>
  );
}
