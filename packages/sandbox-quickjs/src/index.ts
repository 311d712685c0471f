// Entry for browsers; `./node.ts` is the entry for Node.js.
export { quickjsSandbox } from './quickjs.ts';
export type { BrowserSandboxOptions } from './quickjs.ts';
export type { EngineName } from './engine/engine.ts';
export type { SandboxOptions } from './options.ts';
export type { HostFunction, Sandbox, SandboxLimits, Script, ScriptResult, ScriptStatus } from './sandbox.ts';
