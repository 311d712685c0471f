/** Maximum depth of inner calls: beyond it, some tool calls itself. */
export const deepestCall = 8;
