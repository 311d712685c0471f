/** Calls inside calls that deep are refused: somewhere, a tool calls itself. */
export const deepestCall = 8;
