import type { ReactElement } from 'react';
import { useDialect } from './use-dialect.ts';
import { useTexts } from './use-texts.ts';

/** Explains how a model without tool support calls tools. */
export function DialectHint({ model }: { readonly model: string }): ReactElement {
  const { models: texts } = useTexts();
  const dialect = useDialect(model);
  return <p className="said">{dialect !== '' && texts.inText(dialect)}</p>;
}
