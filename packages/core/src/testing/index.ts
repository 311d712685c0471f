// Playing a model.
export { scriptedModel } from './scripted-model.ts';
export type { ScriptedCall, ScriptedModel, ScriptedTurn } from './scripted-model.ts';

// Suites for what third parties build. The test runner is handed in.
export { toolCases, toolSuite } from './tool-suite.ts';
export type { ToolSuiteOptions } from './tool-suite.ts';
export type { Test } from './assert.ts';
