/** Effect of a call: none, reversible, or irreversible. */
export type Effect = 'read' | 'write' | 'destructive';
