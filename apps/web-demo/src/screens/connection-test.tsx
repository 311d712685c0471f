import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Connected } from '../data/connection-test.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/workspace.ts';

interface ConnectionTestProps {
  readonly choice: ModelChoice;
  readonly vault: Vault;
  onModels(models: readonly string[]): void;
}

/** Asks the service for its models, and says what came of it. Another service or address is another test: it ends this one. */
export function ConnectionTest({ choice, vault, onModels }: ConnectionTestProps): ReactElement {
  const [outcome, setOutcome] = useState<Connected | { readonly problem: string }>();
  const [isTesting, setIsTesting] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { text, isGood } = said(outcome, choice.model);

  async function test(): Promise<void> {
    const { signal } = (running.current = new AbortController());
    setOutcome(undefined);
    setIsTesting(true);
    const next = await attempt(signal).catch((error: unknown) => ({ problem: problemText(error) }));
    if (signal.aborted) return;
    setIsTesting(false);
    setOutcome(next);
    if ('models' in next && next.models !== undefined) onModels(next.models);
  }

  async function attempt(signal: AbortSignal): Promise<Connected> {
    const { testConnection } = await import('../data/connection-test.ts');
    return testConnection(choice, { vault, signal });
  }

  function cancel(): void {
    running.current?.abort();
    setIsTesting(false);
  }

  return (
    <div className="field">
      <button type="button" onClick={() => (isTesting ? cancel() : void test())}>
        {isTesting ? 'Cancel the test' : 'Test connection'}
      </button>
      <p role="status" className={isGood ? 'said' : 'said bad'}>
        {isTesting ? 'Testing…' : text}
      </p>
    </div>
  );
}

function said(
  outcome: Connected | { readonly problem: string } | undefined,
  model: string,
): { readonly text: string; readonly isGood: boolean } {
  if (outcome === undefined) return { text: '', isGood: true };
  if ('problem' in outcome) return { text: outcome.problem, isGood: false };
  const { models } = outcome;
  if (models === undefined)
    return { text: `Connected: the model answers. The server has no list of models.`, isGood: true };
  if (models.length === 0) return { text: 'Connected, but the service lists no chat model.', isGood: false };
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  if (models.includes(model)) return { text: `Connected: ${count}.`, isGood: true };
  return { text: `Connected: ${count}, but “${model}” is not among them. Choose one from the list.`, isGood: false };
}
