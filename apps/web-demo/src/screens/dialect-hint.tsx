import type { ReactElement } from 'react';
import { useDialect } from './use-dialect.ts';
import { useTexts } from './use-texts.ts';

/** How a model calls tools that has none of its own. */
export function DialectHint({ model }: { readonly model: string }): ReactElement {
  const { models: texts } = useTexts();
  const dialect = useDialect(model);
  return <p className="said">{dialect !== '' && texts.inText(dialect)}</p>;
}
