// Defining tools: what a tool's author needs.
export { defineTool } from './tool/define.ts';
export { result } from './tool/result.ts';
export type {
  PreviewContext,
  PromptContext,
  Tool,
  ReconcileContext,
  Reconciled,
  SettleContext,
  StoredCall,
  ToolContext,
  ToolRole,
  SubRun,
  SubRunOptions,
} from './tool/tool.ts';
export type { Preview, ToolRender, ToolUi } from './tool/presentation.ts';
export type { Control, ExplicitResult, ToolResult } from './tool/result.ts';
export type { Effect } from './model/effect.ts';
export { option } from './tool/option.ts';
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
export type { SchemaCheck, SchemaIssue, Schema, SchemaValidation } from './schema/schema.ts';
export { capability } from './tool/capability.ts';
export { host } from './tool/host.ts';
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
  Principal,
  Requirements,
  Secrets,
} from './tool/capability.ts';
export type { Sandbox, SandboxLine, SandboxOutcome, SandboxScript } from './tool/sandbox.ts';
export type { Shell, ShellCommand, ShellExit, ShellOutput, ShellRequest } from './tool/shell.ts';

// Choosing tools: what an app's settings pages and requests are made of.
export { createRegistry } from './tool/registry.ts';
export type { Registry, ToolFilter } from './tool/registry.ts';
export type { Mount, MountOptions, ToolSource } from './tool/source.ts';
export { emptySettings } from './settings/settings.ts';
export type { Settings } from './settings/settings.ts';
export { openSettings } from './settings/store.ts';
export type { SettingsOptions, SettingsStore } from './settings/store.ts';
export { aliasesOf, expandAliases } from './toolset/aliases.ts';
export type { Aliases, ExpandedText, MissingTool } from './toolset/aliases.ts';
export { resolveToolset } from './toolset/toolset.ts';
export type { PromptRequest, Toolset, ToolsetChange, ToolsetSource, Unavailable } from './toolset/toolset.ts';
export type { RequestedCall } from './call/requested-call.ts';
export type { PreparedCall } from './call/prepare.ts';
export type { CallContext, InnerCaller, InnerCalls } from './call/call-context.ts';

// Running.
export { resume, run } from './run/lazy-run.ts';
export type { Run, ResumeOptions, RunOptions } from './run/run.ts';
export type { RunResult, RunProblem, RunStatus } from './tool/run-result.ts';
export { runTool } from './toolset/run-tool.ts';
export type { RunToolOptions } from './toolset/run-tool.ts';
export { permissions } from './run/permission/policy.ts';
export type { Decision, PermissionTier, Policy, PolicyRequest } from './run/permission/policy.ts';
export { memoryGrants } from './run/permission/grants.ts';
export type { Grant, Granted, Grants } from './run/permission/grants.ts';
export { settingsGrants } from './run/permission/settings-grants.ts';
export type { SettingsGrantsOptions } from './run/permission/settings-grants.ts';
export { hmacSeals } from './base/seals.ts';
export type { SealKey, Seals } from './base/seals.ts';
export type { RunLimit, RunLimits } from './tool/run-limits.ts';
export type * from './tool/run-event.ts';
export { createToolStats } from './run/calls/tool-stats.ts';
export type { ToolFailure, ToolStatistics, ToolStats } from './run/calls/tool-stats.ts';
export type { Question, QuestionAnswer, QuestionKind } from './thread/question.ts';
export type { DetachedOptions } from './run/calls/detached-options.ts';
export type { QuestionOptions } from './run/questions/question-options.ts';
export type { Environment } from './base/environment.ts';

// Messages and models. What only an adapter of a model needs is the entry `./provider`.
export { callsOf, textOf } from './model/message.ts';
export type {
  AudioPart,
  ContentPart,
  Denier,
  FilePart,
  ImagePart,
  PartOptions,
  ProviderResultPart,
  LateResultPart,
  Message,
  NewMessage,
  MessageOrigin,
  Part,
  ReasoningPart,
  ResourceLinkPart,
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
  ModelPrice,
  PriceTier,
  ReasoningDelta,
  TextDelta,
  ToolCall,
  ToolChoice,
  ToolDefinition,
  ToolInputDelta,
  ToolInputStart,
  TokenPrices,
} from './model/model.ts';
export type {
  RequestSettings,
  ResponseFormat,
  ServiceTier,
  SettingName,
  TakenSettings,
  TakenValues,
} from './model/request-settings.ts';
export type { ModelData, ModelFacts, ModelReference } from './model/model-data.ts';
export { addUsage } from './model/add-usage.ts';
export { noUsage } from './model/usage.ts';
export type { Usage } from './model/usage.ts';
export { answerParts, withMiddleware } from './model/middleware.ts';
export type { MadeAnswer, Middleware, MiddlewareContext } from './model/middleware.ts';
export { withToolMiddleware } from './run/calls/tool-middleware.ts';
export type { CallToRun, ToolMiddleware, ToolMiddlewareContext } from './run/calls/tool-middleware.ts';
export { messageForModel } from './base/host-paths.ts';
export { memoryThread } from './thread/memory-thread.ts';
export { messagesOf } from './thread/messages.ts';
export { openThread } from './thread/open-thread.ts';
export type { ThreadOptions } from './thread/open-thread.ts';
export { answerQuestion } from './thread/answer-question.ts';
export type { GivenAnswer } from './thread/answer-question.ts';
export { openQuestions } from './thread/open-questions.ts';
export { listQuestions } from './thread/list-questions.ts';
export type { WaitingQuestion } from './thread/question-index.ts';
export type { Clock } from './thread/clock.ts';
export type {
  AnswerEntry,
  CallEntry,
  CancelEntry,
  CompactionEntry,
  DraftEntry,
  MessageEntry,
  QuestionEntry,
  RevisionEntry,
  RunEntry,
  StoredEntry,
  ThreadEntry,
} from './thread/entry.ts';
export type { AppendOptions, Claim, ClaimOptions, Holder, ReadOptions } from './thread/thread.ts';
export type { Thread, ThreadOwner, ThreadPage } from './thread/thread.ts';

// Values and errors that every package shares.
export { isUtensilError, messageOf, UtensilError } from './base/errors.ts';
export type { ErrorCode, ErrorDetails } from './base/errors.ts';
export { isObject, toJson } from './base/json.ts';
export type { Json, JsonObject, JsonSchema } from './base/json.ts';
export { readPart } from './run/history-view/read-part.ts';
export type { ReadPartOptions } from './run/history-view/read-part.ts';

// Files: what tools and people see of a project's files.
export { createFiles } from './files/create-files.ts';
export type { FilesOptions } from './files/create-files.ts';
export type {
  EditResult,
  FileBytes,
  FileEntry,
  Files,
  FileStat,
  FileText,
  FileListing,
  ListOptions,
  ProjectFiles,
  RemoveOptions,
  TextReplacement,
  WriteOptions,
  FilesUsage,
} from './files/files.ts';
export { changesPreview } from './tool/changes-preview.ts';
export type { PreviewedChanges } from './tool/changes-preview.ts';
export type { FilesQuota } from './files/quota.ts';

// Records: an app's own data in a storage.
export { createRecords } from './records/records.ts';
export type { RecordsOptions, RecordStore } from './records/records.ts';
export type { CorruptRecord, StoredRecord } from './records/content.ts';
export type { RecordChange, RecordCommitOptions, RecordCommitResult, RecordExpectation } from './records/commit.ts';
export type { RecordListOptions } from './records/listing.ts';
export type { RecordKey } from './files/record-key.ts';
