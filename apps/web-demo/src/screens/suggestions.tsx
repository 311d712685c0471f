import type { ReactElement } from 'react';
import type { Example } from '../data/examples.ts';

/** What could be tried next, below an answer that did nothing. */
export function Suggestions({
  examples,
  onRun,
}: {
  readonly examples: readonly Example[];
  onRun(example: Example): void;
}): ReactElement {
  return (
    <ul className="suggestions" aria-label="Try one of these">
      {examples.map((example) => (
        <li key={example.title}>
          <button type="button" onClick={() => onRun(example)}>
            {example.title}
          </button>
        </li>
      ))}
    </ul>
  );
}
