import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import type { Message, FilePart, ProviderResultPart, SourcePart } from './message.ts';
import type { Effect } from './effect.ts';
import type { RequestSettings, TakenSettings } from './request-settings.ts';
import type { Usage } from './usage.ts';

/** Wire formats known to Utensil. Third parties may add others. */
export type KnownApi =
  | 'anthropic-messages'
  | 'openai-responses'
  | 'openai-chat'
  | 'gemini'
  | 'gemini-interactions'
  | 'ollama-chat'
  | 'text';

/** A wire format. */
export type Api = KnownApi | (string & {});

/** Facts about a model that are known before it is called. */
export interface ModelInfo {
  readonly api: Api;
  readonly id: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** In tokens: the maximum that the provider requests if a request does not set one. Absent if the vendor decides. */
  readonly maxOutputTokens?: number;
  readonly price?: ModelPrice;
  /** True if the vendor reports the cost of each turn: `Usage.cost`. */
  readonly reportsCost?: boolean;
  readonly supports?: ModelSupport;
}

/** US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache. Default: the price of input. */
  readonly cacheRead?: number;
  /** Input written to the provider's cache. Default: the price of input. */
  readonly cacheWrite?: number;
  /** Audio input. Default: the price of input. */
  readonly audioInput?: number;
}

/** Price of a model in US dollars per million tokens. All 0 for a free one. */
export interface ModelPrice extends TokenPrices {
  /** Prices for long inputs. The tier with the highest exceeded `above` applies to the whole turn. */
  readonly tiers?: readonly PriceTier[];
}

/** Prices for turns whose input exceeds a number of tokens. */
export interface PriceTier extends TokenPrices {
  /** In tokens of input, cached or not. */
  readonly above: number;
}

/** Optional features of a model. */
export interface ModelSupport {
  /** True if it searches deferred tools itself; `false` if they are not sent to it. */
  readonly deferredTools?: boolean;
  /** Request settings that it supports. Absent: none. */
  readonly settings?: TakenSettings;
  /** True if `providerOptions` of parts are sent on its wire. */
  readonly partOptions?: true;
}

/** A tool definition for a model. */
export type ToolDefinition = FunctionDefinition | NativeDefinition;

/** A tool that any model can call. */
export interface FunctionDefinition {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly examples?: readonly JsonObject[];
  /** Hidden from the model until a search finds it. Core leaves it out if the API has no tool search of its own. */
  readonly defer?: boolean;
  /** Deferred tools of a group are found together. Not sent to the vendor. */
  readonly group?: string;
  /** Effect of all its calls; absent if it depends on the input. Not sent to the vendor. */
  readonly effects?: Effect;
}

/** A tool built in by the vendor; `definition` is sent unchanged. */
export interface NativeDefinition {
  readonly type: 'native';
  readonly name: string;
  readonly definition: JsonObject;
}

/** Permission or obligation of the model to call tools. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** A request for one turn. */
export interface ModelRequest extends RequestSettings {
  /** Instructions; empty if there are none. */
  readonly system: string;
  /** Normalized: the results of each message's calls follow it directly, in call order. */
  readonly messages: readonly Message[];
  /** Sorted by name. The same array as long as nothing changed, so that a mapper can cache its own form of it. */
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  /** `false` requests at most one call per turn, if the API supports that. */
  readonly parallel?: boolean;
  readonly maxOutputTokens?: number;
  /** Reasoning effort, if the model supports it. */
  readonly reasoning?: 'none' | 'low' | 'medium' | 'high';
  /** Merged into the body unchanged, for vendor-specific fields. */
  readonly providerOptions?: JsonObject;
}

/** Reason for the end of a turn. Calls decide that a turn is a tool turn, never the reason. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'content-filter' | 'pause' | 'error';

export interface TextDelta {
  readonly type: 'text-delta';
  readonly text: string;
  /** True if it was made by a hook or another program instead of the model. */
  readonly openWorld?: true;
}

export interface ReasoningDelta {
  readonly type: 'reasoning-delta';
  readonly text: string;
}

/** The model has begun to write a call. */
export interface ToolInputStart {
  readonly type: 'tool-input-start';
  readonly callId: string;
  readonly name: string;
}

/** A fragment of a call's arguments, as JSON text. */
export interface ToolInputDelta {
  readonly type: 'tool-input-delta';
  readonly callId: string;
  readonly delta: string;
}

/** A complete call. `invalidInput` is the model's text if it is not a JSON object; `input` is then `{}`. */
export interface ToolCall {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** As in `ToolCallPart`; set by the run, not by the model. */
  readonly calledAs?: string;
  readonly input: JsonObject;
  readonly invalidInput?: string;
  readonly executedBy: 'us' | 'provider';
  /** True if it was made by a hook or another program instead of the model. */
  readonly openWorld?: true;
}

/** End of the turn. Always the last part of a stream that did not break off. */
export interface Finish {
  readonly type: 'finish';
  readonly reason: FinishReason;
  readonly usage: Usage;
  /** Reason for a refusal or failure, for people. */
  readonly detail?: string;
  /** Opaque data that this API needs back with the message. */
  readonly state?: Json;
}

/** A piece of a streamed turn, in message order. */
export type ModelPart =
  | TextDelta
  | ReasoningDelta
  | ToolInputStart
  | ToolInputDelta
  | ToolCall
  | SourcePart
  | FilePart
  | ProviderResultPart
  | Finish;

/** An adapter that streams one assistant turn over one API. */
export interface Model {
  readonly info: ModelInfo;
  /**
   * Streams one turn. Throws a `UtensilError` with a `model_…`, `missing_api_key`, `prompt_too_long` or
   * `stream_truncated` code, and `aborted` if `signal` fired. Sends a single request; a run retries if the error is
   * `retryable`, after its `retryAfterMs`. Never runs tools.
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelPart>;
}
