// Scripted models.
export { scriptedModel } from './scripted-model.ts';
export type { ScriptedCall, ScriptedModel, ScriptedTurn } from './scripted-model.ts';

// Replay of a stored thread.
export { replayThread } from './replay/replay-thread.ts';
export type { ReplayOptions, ThreadReplay } from './replay/replay-thread.ts';
export type { AppOptions } from './replay/replay-options.ts';
export type { Divergence } from './replay/stage.ts';

// Suites for third parties. The test runner is passed in.
export { toolCases, toolSuite } from './tool-suite.ts';
export type { ToolSuiteOptions } from './tool-suite.ts';
export { storageCases, storageSuite } from './storage-suite.ts';
export type { StorageBackend, StorageCaseName, StorageSuiteOptions } from './storage-suite.ts';
export { recordCases, recordSuite } from './record-suite.ts';
export type { RecordCaseName, RecordSuiteOptions } from './record-suite.ts';
export { threadCases, threadSuite } from './thread-suite.ts';
export type { ThreadCaseName, ThreadSuiteOptions } from './thread-suite.ts';
export { modelCases, modelSuite } from './model-suite.ts';
export type { ModelBackend, ModelCaseName, ModelSuiteOptions } from './model-suite.ts';
export type * from './model-answer.ts';
export type { ModelSetup, OpenModel } from './model-kit.ts';
export { checkFiles } from './files-model.ts';
export type { CheckFilesOptions } from './files-model.ts';
export type { Test } from './assert.ts';

// Edit cases as data, for tools that edit.
export { editCases } from '../files/edit/cases/cases.ts';
export { editCaseBytes, editTags } from '../files/edit/cases/edit-case.ts';
export type { EditCase, EditTag } from '../files/edit/cases/edit-case.ts';
