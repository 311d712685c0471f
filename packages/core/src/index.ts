// Defining tools: what a tool's author needs.
export { defineTool } from './define-tool.ts';
export { result } from './tool.ts';
export type {
  Control,
  Effect,
  Preview,
  PreviewContext,
  PromptContext,
  Tool,
  ToolAnswer,
  ToolContext,
  ToolRender,
  ToolUi,
} from './tool.ts';
export { isVisible, option, optionProblem, readOptions } from './option.ts';
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
} from './option.ts';
export { jsonSchema } from './json-schema.ts';
export type { Check, JsonSchemaOptions, Validator } from './json-schema.ts';
export type { Issue, Schema, Validation } from './schema.ts';
export { modelChoices } from './model-choices.ts';
export type { OfferedModel } from './model-choices.ts';
export { capability, fetch, files, models, secrets } from './capability.ts';
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
} from './capability.ts';
export { sandbox } from './sandbox.ts';
export type { Sandbox, SandboxLine, SandboxOutcome, SandboxScript } from './sandbox.ts';
export { shell } from './shell.ts';
export type { Shell, ShellCommand, ShellExit, ShellOutput, ShellRequest } from './shell.ts';

// Choosing tools: what an app's settings pages and requests are made of.
export { createRegistry } from './registry.ts';
export type { Registry, ToolFilter } from './registry.ts';
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
export { migrateSettings } from './settings/migrate.ts';
export { absentTools, unseenTools, withoutTools, withSeen } from './settings/seen.ts';
export { layerSettings, overSettings } from './settings/layers.ts';
export { openSettings, openThreadSettings } from './settings/store.ts';
export type { SettingsOptions, SettingsStore } from './settings/store.ts';
export { aliasesOf, expandAliases } from './aliases.ts';
export type { Aliases, ExpandedText, MissingTool } from './aliases.ts';
export { resolveToolset } from './toolset.ts';
export type { PromptRequest, Toolset, ToolsetChange, Unavailable } from './toolset.ts';
export type { PreparedCall, RequestedCall } from './prepare.ts';
export type { CallContext, InnerCaller, InnerCalls } from './execute.ts';
export type { ToolResult } from './tool-result.ts';

// Running. The pure step that durable engines drive themselves is the entry `./loop`.
export { resume, run } from './run/run.ts';
export type { ResumeOptions, Run, RunOptions, RunResult } from './run/run.ts';
export type { SubRun, SubRunOptions } from './run/sub-run.ts';
export { runTool } from './run-tool.ts';
export type { RunToolOptions } from './run-tool.ts';
export { permissions } from './run/policy.ts';
export type { Decision, PermissionTier, Policy, PolicyRequest } from './run/policy.ts';
export { memoryGrants, settingsGrants } from './run/grants.ts';
export type { Grant, Granted, Grants, SettingsGrantsOptions } from './run/grants.ts';
export { hmacSeals } from './seals.ts';
export type { SealKey, Seals } from './seals.ts';
export type { Limit, Limits } from './run/limits.ts';
export type * from './run/events.ts';
export { createToolStats } from './tool-stats.ts';
export type { ToolFailure, ToolStatistics, ToolStats } from './tool-stats.ts';
export type { RunProblem, RunStatus } from './run/state.ts';
export type { EffectHandler } from './run/drive.ts';
export type { Answer } from './run/questions.ts';
export type { Environment } from './environment.ts';

// Messages and models: what a provider maps.
export { calledName, callsOf, textOf, userMessage } from './message.ts';
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
} from './message.ts';
export { addUsage, noUsage } from './model.ts';
export { parseToolInput } from './tool-input.ts';
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
  Usage,
} from './model.ts';
export { abortedError, failureOf, modelError, modelFailures, saidBy } from './model-failure.ts';
export type { FailedAnswer, FailureException, FailureSubject, ModelFailure } from './model-failure.ts';
export { arrange } from './history.ts';
export { answerParts, withMiddleware } from './middleware.ts';
export type { MadeAnswer, Middleware, MiddlewareContext } from './middleware.ts';
export { messageForModel } from './host-paths.ts';
export { causeWithoutKeys, withoutKeys } from './scrub.ts';
export { plainObjectSchema } from './plain-object-schema.ts';
export { strictSchema } from './strict-schema.ts';
export type { StrictDialect, StrictSchema } from './strict-schema.ts';
export { wellFormed } from './well-formed.ts';
export { fromWireName, wireName } from './wire-name.ts';
export { alternativesTo, branchOf, branchThread, lastOf } from './branch.ts';
export { deleteThread, listThreads, openThread } from './thread.ts';
export type {
  CallEntry,
  CompactionEntry,
  Journal,
  JournalEntry,
  Thread,
  ThreadOptions,
  ThreadSummary,
} from './thread.ts';

// Values and errors that every package shares.
export { errorCodes, isUtensilError, messageOf, UtensilError } from './errors.ts';
export type { ErrorCode, ErrorDetails } from './errors.ts';
export { canonicalJson, isObject, toJson } from './json.ts';
export type { Json, JsonObject, JsonSchema } from './json.ts';
export { sha256Hex } from './hash.ts';
export { readPart } from './view/read-part.ts';
export type { ReadPartOptions } from './view/read-part.ts';

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
} from './files/files.ts';
export { changesPreview } from './files/changes-preview.ts';
export type { PreviewedChanges } from './files/changes-preview.ts';
export { effectAt, instructionDirectories } from './files/instructions.ts';
export { mediaTypeOf } from './files/media-type.ts';
export type { FilesUsage, Quota } from './files/quota.ts';
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
export { decodeText } from './files/text.ts';
export type { DecodedText, TextFormat } from './files/text.ts';

// Records: an app's own data in a storage.
export { createRecords } from './records.ts';
export type { RecordsOptions, RecordStore } from './records.ts';
export type { CorruptRecord, StoredRecord } from './record-content.ts';
export type { RecordChange, RecordCommitOptions, RecordCommitResult, RecordExpectation } from './record-commit.ts';
export type { RecordListOptions } from './record-listing.ts';
export { logKey, logNumber } from './record-key.ts';
export type { RecordKey } from './record-key.ts';

// Storage: what a backend implements, and the rules and words that it shares with core.
export { createListeners } from './listeners.ts';
export type { Listeners } from './listeners.ts';
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
