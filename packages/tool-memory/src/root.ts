/** The directory that is the memory. */
export const root = '/memories';

/** Names, beside those that begin with a dot, that listings leave out. */
export const leftOut: readonly string[] = ['node_modules'];
