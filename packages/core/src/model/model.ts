import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import type { Message, FilePart, ProviderResultPart, SourcePart } from './message.ts';
import type { Effect } from './effect.ts';
import type { RequestSettings, TakenSettings } from './request-settings.ts';
import type { Usage } from './usage.ts';

/** The wire formats that Utensil knows. A third party may bring others. */
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
  /** In tokens: what the provider asks for at most, where a request does not say. Absent if the vendor decides. */
  readonly maxOutputTokens?: number;
  readonly price?: ModelPrice;
  /** The vendor says what each turn cost: `Usage.cost`. */
  readonly reportsCost?: boolean;
  readonly supports?: ModelSupport;
}

/** US dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Of input from the provider's cache. Default: as any input. */
  readonly cacheRead?: number;
  /** Of input that is written to the provider's cache. Default: as any input. */
  readonly cacheWrite?: number;
  /** Of input that is a recording. Default: as any input. */
  readonly audioInput?: number;
}

/** Price of a model: US dollars for a million tokens. All 0: it is free. */
export interface ModelPrice extends TokenPrices {
  /** Other prices of requests with a long input. The tier with the highest `above` that is exceeded holds for the whole turn. */
  readonly tiers?: readonly PriceTier[];
}

/** Prices of turns whose input is longer than a number of tokens. */
export interface PriceTier extends TokenPrices {
  /** In tokens of input, cached or not. */
  readonly above: number;
}

/** Optional abilities of a model. */
export interface ModelSupport {
  /** True if it searches deferred tools by itself; `false` where it is not told of them. */
  readonly deferredTools?: boolean;
  /** Settings of a request that it takes. Absent: none. */
  readonly settings?: TakenSettings;
  /** True if `providerOptions` of parts go onto its wire. */
  readonly partOptions?: true;
}

/** A tool as a model is told of it. */
export type ToolDefinition = FunctionDefinition | NativeDefinition;

/** A tool that any model can call. */
export interface FunctionDefinition {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly examples?: readonly JsonObject[];
  /** Not told to the model until it is searched for; where the api has no search of its own, core leaves it out. */
  readonly defer?: boolean;
  /** What is deferred is found with the others of its group. Not sent to the vendor. */
  readonly group?: string;
  /** The effect of each of its calls; absent if that depends on the input. Not sent to the vendor. */
  readonly effects?: Effect;
}

/** A tool that the vendor has built in: `definition` goes onto the wire as it is. */
export interface NativeDefinition {
  readonly type: 'native';
  readonly name: string;
  readonly definition: JsonObject;
}

/** Whether the model may, must or must not call tools. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** One turn asked of a model. */
export interface ModelRequest extends RequestSettings {
  /** Instructions; empty where there are none. */
  readonly system: string;
  /** Arranged: every call has its result right behind its message, in call order. */
  readonly messages: readonly Message[];
  /** Sorted by name; the same array while nothing changed, so that a mapper can keep its own form of it. */
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  /** `false` asks for one call a turn, where the api can. */
  readonly parallel?: boolean;
  readonly maxOutputTokens?: number;
  /** Reasoning effort, if the model supports it. */
  readonly reasoning?: 'none' | 'low' | 'medium' | 'high';
  /** Merged into the body as it is, for what only this vendor has. */
  readonly providerOptions?: JsonObject;
}

/** Why a turn ended. Calls decide that a turn is a tool turn, never the reason. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'content-filter' | 'pause' | 'error';

export interface TextDelta {
  readonly type: 'text-delta';
  readonly text: string;
  /** It is not the model's own, but that of a hook or another program. */
  readonly openWorld?: true;
}

export interface ReasoningDelta {
  readonly type: 'reasoning-delta';
  readonly text: string;
}

/** The model began to write a call. */
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

/** A call is complete. `invalidInput` is the model's text where it is no JSON object; `input` is then `{}`. */
export interface ToolCall {
  readonly type: 'tool-call';
  readonly callId: string;
  readonly name: string;
  /** As in `ToolCallPart`: set by the run, not by the model. */
  readonly calledAs?: string;
  readonly input: JsonObject;
  readonly invalidInput?: string;
  readonly executedBy: 'us' | 'provider';
  /** It is not the model's own, but that of a hook or another program. */
  readonly openWorld?: true;
}

/** The turn is over. Always the last part of a stream that did not break. */
export interface Finish {
  readonly type: 'finish';
  readonly reason: FinishReason;
  readonly usage: Usage;
  /** For people: why the model refused or failed. */
  readonly detail?: string;
  /** Opaque data that this API needs back with the message. */
  readonly state?: Json;
}

/** A piece of a streamed turn, in the order in which the message is made of them. */
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

/** An adapter that streams one assistant turn over one api. */
export interface Model {
  readonly info: ModelInfo;
  /**
   * Streams one turn. Throws a `UtensilError` with a `model_…`, `missing_api_key`, `prompt_too_long` or
   * `stream_truncated` code, and `aborted` when `signal` fired. It sends one request: a
   * run asks again if the error is `retryable`, after its `retryAfterMs`. Tools are never run by it.
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelPart>;
}
