import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Connected } from '../data/connection-test.ts';
import type { ModelChoice } from '../data/model-choice.ts';
import type { Vault } from '../data/vault.ts';
import { problemText } from '../data/advice.ts';
import { connectionTexts } from '../texts/connection-texts.ts';
import type { englishConnections } from '../texts/connections.ts';
import { useTexts } from './use-texts.ts';

interface ConnectionTestProps {
  readonly choice: ModelChoice;
  readonly vault: Vault;
  onModels(models: readonly string[]): void;
}

/** Asks the service for its models, and shows the outcome. A change of service or address cancels the test. */
export function ConnectionTest({ choice, vault, onModels }: ConnectionTestProps): ReactElement {
  const [outcome, setOutcome] = useState<Connected | { readonly problem: string }>();
  const [isTesting, setIsTesting] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { connection: texts } = connectionTexts(useTexts());
  const { text, isGood } = said(outcome, choice.model, texts);

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
        {isTesting ? texts.cancel : texts.test}
      </button>
      <p role="status" className={isGood ? 'said' : 'said bad'}>
        {isTesting ? texts.testing : text}
      </p>
    </div>
  );
}

function said(
  outcome: Connected | { readonly problem: string } | undefined,
  model: string,
  texts: (typeof englishConnections)['connection'],
): { readonly text: string; readonly isGood: boolean } {
  if (outcome === undefined) return { text: '', isGood: true };
  if ('problem' in outcome) return { text: outcome.problem, isGood: false };
  const { models } = outcome;
  if (models === undefined) return { text: texts.answers, isGood: true };
  if (models.length === 0) return { text: texts.noModels, isGood: false };
  if (models.includes(model)) return { text: texts.connected(models.length), isGood: true };
  return { text: texts.notListed(models.length, model), isGood: false };
}
