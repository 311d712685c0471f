/** Directory of the memory. */
export const root = '/memories';

/** Names omitted from listings, besides those that begin with a dot. */
export const leftOut: readonly string[] = ['node_modules'];
