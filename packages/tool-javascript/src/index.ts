export { javascriptTool } from './javascript.ts';
export { sandbox } from './sandbox.ts';
export type { JavaScriptSandbox, SandboxLine, SandboxOutcome, SandboxScript } from './sandbox.ts';
