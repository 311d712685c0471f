/** The effect of a call on the world: none, one that can be undone, or one that cannot. */
export type Effect = 'read' | 'write' | 'destructive';
