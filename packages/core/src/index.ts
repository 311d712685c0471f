// Defining tools: what a tool's author needs.
export { defineTool } from './tool/define.ts';
export { result } from './tool/answer.ts';
export type {
  Preview,
  PreviewContext,
  PromptContext,
  Tool,
  ToolContext,
  ToolRender,
  ToolRole,
  ToolUi,
  SubRun,
  SubRunOptions,
} from './tool/tool.ts';
export type { ToolAnswer } from './tool/answer.ts';
export type { Control, ToolResult } from './tool/result.ts';
export type { Effect } from './model/effect.ts';
export { isVisible, option, optionProblem, readOptions } from './tool/option.ts';
export type {
  BooleanOption,
  FormerSwitch,
  ModelListOption,
  ModelOption,
  NumberOption,
  OptionDefinition,
  OptionDefinitions,
  OptionValue,
  OptionValues,
  PublicValues,
  SecretOption,
  SelectOption,
  TextOption,
  VisibleWhen,
} from './tool/option.ts';
export { jsonSchema } from './schema/json-schema.ts';
export type { JsonSchemaOptions, Validator } from './schema/json-schema.ts';
export type { Check, Issue, Schema, Validation } from './schema/schema.ts';
export { modelChoices } from './tool/model-choices.ts';
export type { OfferedModel } from './tool/model-choices.ts';
export { capability, fetch, files, models, secrets } from './tool/capability.ts';
export type {
  Capability,
  Fetch,
  FetchBody,
  FetchRequest,
  FetchResponse,
  Host,
  HostOf,
  ModelChoice,
  Models,
  Requirements,
  Secrets,
} from './tool/capability.ts';
export { sandbox } from './tool/sandbox.ts';
export type { Sandbox, SandboxLine, SandboxOutcome, SandboxScript } from './tool/sandbox.ts';
export { shell } from './tool/shell.ts';
export type { Shell, ShellCommand, ShellExit, ShellOutput, ShellRequest } from './tool/shell.ts';

// Choosing tools: what an app's settings pages and requests are made of.
export { createRegistry } from './tool/registry.ts';
export type { Registry, ToolFilter } from './tool/registry.ts';
export {
  emptySettings,
  isEnabled,
  settingsOf,
  settingsVersion,
  withCategory,
  withEnabled,
  withGrant,
  withInstructions,
  withOption,
} from './settings/settings.ts';
export type { SealedGrant, Settings, ToolSettings } from './settings/settings.ts';
export { migrateSettings } from './settings/versions.ts';
export { absentTools, unseenTools, withoutTools, withSeen } from './settings/seen.ts';
export { layerSettings, overSettings } from './settings/layers.ts';
export { openSettings, openThreadSettings } from './settings/store.ts';
export type { SettingsOptions, SettingsStore } from './settings/store.ts';
export { aliasesOf, expandAliases } from './toolset/aliases.ts';
export type { Aliases, ExpandedText, MissingTool } from './toolset/aliases.ts';
export { resolveToolset } from './toolset/toolset.ts';
export type { PromptRequest, Toolset, ToolsetChange, Unavailable } from './toolset/toolset.ts';
export type { PreparedCall, RequestedCall } from './call/prepare.ts';
export type { CallContext, InnerCaller, InnerCalls } from './call/execute.ts';

// Running. The pure step that durable engines drive themselves is the entry `./loop`.
export { resume, run } from './run/start.ts';
export type { Run, ResumeOptions, RunOptions } from './run/run.ts';
export type { RunResult, RunProblem, RunStatus } from './tool/run-result.ts';
export { runTool } from './toolset/run-tool.ts';
export type { RunToolOptions } from './toolset/run-tool.ts';
export { permissions } from './run/policy.ts';
export type { Decision, PermissionTier, Policy, PolicyRequest } from './run/policy.ts';
export { memoryGrants, settingsGrants } from './run/grants.ts';
export type { Grant, Granted, Grants, SettingsGrantsOptions } from './run/grants.ts';
export { hmacSeals } from './base/seals.ts';
export type { SealKey, Seals } from './base/seals.ts';
export type { Limit, Limits } from './tool/run-limits.ts';
export type * from './tool/run-event.ts';
export { createToolStats } from './run/tool-stats.ts';
export type { ToolFailure, ToolStatistics, ToolStats } from './run/tool-stats.ts';
export type { EffectHandler } from './run/loop/drive.ts';
export type { Answer } from './run/questions.ts';
export type { Environment } from './base/environment.ts';

// Messages and models. What only an adapter of a model needs is the entry `./provider`.
export { callsOf, textOf, userMessage } from './model/message.ts';
export type {
  ContentPart,
  FilePart,
  ImagePart,
  Message,
  NewMessage,
  Origin,
  Part,
  ReasoningPart,
  SourcePart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './model/message.ts';
export type {
  Api,
  Finish,
  FinishReason,
  FunctionDefinition,
  KnownApi,
  Model,
  ModelInfo,
  ModelPart,
  ModelRequest,
  ModelSupport,
  NativeDefinition,
  Price,
  ReasoningDelta,
  TextDelta,
  ToolCall,
  ToolChoice,
  ToolDefinition,
  ToolInputDelta,
  ToolInputStart,
} from './model/model.ts';
export { addUsage } from './model/add-usage.ts';
export { noUsage } from './model/usage.ts';
export type { Usage } from './model/usage.ts';
export { causeWithoutKeys, withoutKeys } from './model/scrub.ts';
export { answerParts, withMiddleware } from './model/middleware.ts';
export type { MadeAnswer, Middleware, MiddlewareContext } from './model/middleware.ts';
export { messageForModel } from './base/host-paths.ts';
export { alternativesTo, branchOf, branchThread, lastOf } from './thread/branch.ts';
export { deleteThread, listThreads, openThread } from './thread/thread.ts';
export type {
  CallEntry,
  CompactionEntry,
  Journal,
  JournalEntry,
  Thread,
  ThreadOptions,
  ThreadSummary,
} from './thread/thread.ts';

// Values and errors that every package shares.
export { errorCodes, isUtensilError, messageOf, UtensilError } from './base/errors.ts';
export type { ErrorCode, ErrorDetails } from './base/errors.ts';
export { canonicalJson, isObject, toJson } from './base/json.ts';
export type { Json, JsonObject, JsonSchema } from './base/json.ts';
export { sha256Hex } from './base/hash.ts';
export { readPart } from './run/history-view/read-part.ts';
export type { ReadPartOptions } from './run/history-view/read-part.ts';

// Files: what tools and people see of a project's files.
export { hasBatch } from './files/batching.ts';
export type { BatchFiles } from './files/batching.ts';
export { createFiles } from './files/create-files.ts';
export type { FilesOptions } from './files/create-files.ts';
export type {
  EditResult,
  FileBytes,
  FileEntry,
  Files,
  FileStat,
  FileText,
  Listing,
  ListOptions,
  ProjectFiles,
  RemoveOptions,
  TextReplacement,
  WriteOptions,
  FilesUsage,
} from './files/files.ts';
export { changesPreview } from './tool/changes-preview.ts';
export type { PreviewedChanges } from './tool/changes-preview.ts';
export { effectAt, instructionDirectories } from './files/instructions.ts';
export { mediaTypeOf } from './files/media-type.ts';
export type { Quota } from './files/quota.ts';
export { exportFiles } from './files/bundle/export-files.ts';
export type { ExportOptions } from './files/bundle/export-files.ts';
export { findFiles } from './files/search/find-files.ts';
export type { FileSelection, FindOptions } from './files/search/find-files.ts';
export { matchGlob } from './files/glob/glob.ts';
export type { GlobOptions } from './files/glob/glob.ts';
export { importFiles } from './files/bundle/import-files.ts';
export type { ImportOptions, ImportResult } from './files/bundle/import-files.ts';
export { mountFiles } from './files/mount/mount.ts';
export { readOnly } from './files/read-only.ts';
export { searchFiles } from './files/search/search-files.ts';
export type { SearchHit, SearchOptions, SearchResult, SearchSkip } from './files/search/search-files.ts';
export type { TextHit } from './files/search/search-text.ts';
export { subtree } from './files/subtree.ts';
export { hasTaint, outsideContent, seenBy } from './files/taint/observer.ts';
export type { FilesObserver } from './files/taint/observer.ts';
export { entriesBelow } from './files/reading.ts';
export { decodeText } from './base/decode-text.ts';
export type { DecodedText, TextFormat } from './base/decode-text.ts';

// Records: an app's own data in a storage.
export { createRecords } from './records/records.ts';
export type { RecordsOptions, RecordStore } from './records/records.ts';
export type { CorruptRecord, StoredRecord } from './records/content.ts';
export type { RecordChange, RecordCommitOptions, RecordCommitResult, RecordExpectation } from './records/commit.ts';
export type { RecordListOptions } from './records/listing.ts';
export { logKey, logNumber } from './files/record-key.ts';
export type { RecordKey } from './files/record-key.ts';

// Storage: what a backend implements, and the rules and words that it shares with core.
export { createListeners } from './base/listeners.ts';
export type { Listeners } from './base/listeners.ts';
export { changedKeys, directoryEtag } from './files/driver.ts';
export type {
  ByteRange,
  Change,
  Commit,
  CommitResult,
  Entry,
  EntryKey,
  Expectation,
  ListedEntry,
  ListQuery,
  StorageDriver,
  Tree,
  WatchOptions,
} from './files/driver.ts';
export { decodeChecked, encodeChecked } from './files/checked-json.ts';
export { hideRecords } from './files/hide-records.ts';
export { isReserved, reservedName } from './files/reserved.ts';
export { createStage } from './files/stage/stage.ts';
export type { Stage, StageOptions } from './files/stage/stage.ts';
export { fileError } from './files/file-error.ts';
export type { FileErrorCode, FileErrorDetails } from './files/file-error.ts';
export {
  ancestorsOf,
  comparePaths,
  foldCase,
  isAddressable,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  resolvePath,
} from './files/paths.ts';
