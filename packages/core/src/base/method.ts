/**
 * A function type whose parameters are compared bivariantly, like a method's, so that a tool with typed input is
 * assignable to plain `Tool`. Core calls it only with values that the tool's own schemas accepted. In `Tool` it is
 * spelled out as `{ call(…): … }['call']`, which costs TypeScript a third less per tool.
 */
export type Method<Parameters extends readonly unknown[], Result> = { call(...parameters: Parameters): Result }['call'];
