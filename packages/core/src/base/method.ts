/**
 * A function whose parameters are compared as a method's are, so that a tool with typed input is a plain `Tool` too.
 * Core calls it only with what the tool's own schemas have let through.
 * In `Tool` it is written out as `{ call(…): … }['call']`, which TypeScript makes of each tool with a third less work.
 */
export type Method<Parameters extends readonly unknown[], Result> = { call(...parameters: Parameters): Result }['call'];
