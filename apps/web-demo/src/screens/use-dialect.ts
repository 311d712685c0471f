import { useEffect, useState } from 'react';

/** The dialect in which a model without tool support calls tools; empty until known. */
export function useDialect(modelId: string): string {
  const [dialect, setDialect] = useState('');
  useEffect(() => {
    let isOver = false;
    void import('@utensil/text-dialects').then(({ dialectFor }) => isOver || setDialect(dialectFor(modelId)));
    return () => void (isOver = true);
  }, [modelId]);
  return dialect;
}
