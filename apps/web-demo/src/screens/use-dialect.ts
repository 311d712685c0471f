import { useEffect, useState } from 'react';

/** The dialect in which a model calls tools if it has none of its own; empty until it is known. */
export function useDialect(modelId: string): string {
  const [dialect, setDialect] = useState('');
  useEffect(() => {
    let isOver = false;
    void import('@utensil/text-dialects').then(({ dialectFor }) => isOver || setDialect(dialectFor(modelId)));
    return () => void (isOver = true);
  }, [modelId]);
  return dialect;
}
