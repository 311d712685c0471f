/** What a call does to the world: nothing, something that can be undone, or something that cannot. */
export type Effect = 'read' | 'write' | 'destructive';
