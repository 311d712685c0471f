import type { ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Usage } from './usage.ts';

/** Cause of a declined call: the user, the policy, or nobody, if a question was needed and nobody could be asked. */
export type Denier = 'user' | 'policy' | 'nobody';

/** Vendor-specific members of a part, by wire format: `{ 'anthropic-messages': { cache_control: … } }`. */
export interface PartOptions {
  readonly [api: string]: JsonObject;
}

/** A request part that can carry vendor-specific options. */
interface WithOptions {
  /**
   * Merged into the part on the wire of the API it names; ignored by all others. If that API's parts take no options, a
   * run reports `setting-ignored`.
   */
  readonly providerOptions?: PartOptions;
}

/** Plain text, from the user or the model. */
export interface TextPart extends WithOptions {
  readonly type: 'text';
  readonly text: string;
  /** The resource and version that the text is the content of. A request shows it once. */
  readonly resource?: { readonly key: string; readonly etag: string };
}

/** Reasoning of the model. Shown to people; sent back only to the provider that produced it. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
}

/** An image, as base64 `data` or a `url`. */
export interface ImagePart extends WithOptions {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly data?: string;
  readonly url?: string;
}

/** An audio recording, as base64 `data` or a `url`. */
export interface AudioPart extends WithOptions {
  readonly type: 'audio';
  /** For example `audio/mpeg`. */
  readonly mediaType: string;
  readonly name?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A document or other file, as base64 `data` or a `url`. */
export interface FilePart extends WithOptions {
  readonly type: 'file';
  /** For example `application/pdf`. */
  readonly mediaType: string;
  readonly name?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A link to a resource, given by a user or a tool. Never fetched; models get it as a line of text. */
export interface ResourceLinkPart {
  readonly type: 'resource-link';
  /** Any scheme, from an untrusted source: do not follow it unchecked. */
  readonly uri: string;
  readonly name: string;
  /** For display, if `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  readonly mediaType?: string;
  /** Size in bytes. */
  readonly size?: number;
}

/** A page or document cited by the model. */
export interface SourcePart {
  readonly type: 'source';
  readonly url: string;
  readonly title?: string;
}

/**
 * Result of a call that the provider ran itself. For display: the model gets it through the state that the provider
 * gets back.
 */
export interface ProviderResultPart {
  readonly type: 'provider-result';
  readonly callId: string;
  /** Name of the call's tool. */
  readonly name: string;
  /** In the provider's form. */
  readonly output: Json;
  readonly isError: boolean;
}

/** A tool call by the model. */
export interface ToolCallPart {
  readonly type: 'tool-call';
  /** Id of the call, given by the provider; results refer to it. Unique within a thread. */
  readonly callId: string;
  /** The tool's current name; if no such tool exists, the name that the model wrote. */
  readonly name: string;
  /** The name that the model wrote, if it was a former one. Only used to send the call back to its API. */
  readonly calledAs?: string;
  /** Arguments as executed, after repair. `{}` if the model's text is not a JSON object, or nested too deeply. */
  readonly input: JsonObject;
  /**
   * The model's text, if it could not be parsed or was nested more than 500 levels deep. The call is answered with an
   * error.
   */
  readonly invalidInput?: string;
  /** Repairs made to the arguments, one sentence each. */
  readonly repairs?: readonly string[];
  /** Executor: us, or the provider's own server, which also supplies the result. */
  readonly executedBy: 'us' | 'provider';
  /** True if the call was made by a hook or another program instead of the model. */
  readonly openWorld?: true;
  /** For display. Rendered when the call was made, so that later changes to the tool do not alter old threads. */
  readonly title?: string;
  readonly icon?: string;
}

/** A part of a user's message, or of a tool's result for the model. */
export type ContentPart = TextPart | ImagePart | AudioPart | FilePart | ResourceLinkPart;

/** Result of a call: the call as it ran, the parts for the model, the parts for the user. */
export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly name: string;
  /** As in the call. */
  readonly calledAs?: string;
  /** Output of the tool, as JSON. */
  readonly output: Json;
  /** Output for the model. Never empty. */
  readonly modelParts: readonly ContentPart[];
  /** One line for people about the outcome. */
  readonly status?: string;
  /** Output for the user, if it differs from the model's text. */
  readonly userView?: Json;
  readonly isError: boolean;
  /**
   * Error code: `tool_denied` if declined, `tool_cancelled` if never begun, `tool_interrupted` if the outcome is
   * unknown.
   */
  readonly code?: ErrorCode;
  /**
   * The person or policy that declined it, with code `tool_denied`; absent in threads stored before this was recorded.
   */
  readonly deniedBy?: Denier;
  /** Fingerprint of the definition that ran; absent if none did (unknown tool, denied, cancelled before its start). */
  readonly toolFingerprint?: string;
  /** True if it comes from the outside world, where anybody may have written it. */
  readonly openWorld?: boolean;
  readonly durationMs?: number;
  /** Marks a receipt: the call continues in the background. The tool's handle for `settle`. */
  readonly detached?: Json;
}

/**
 * Result of a call that ran in the background, in a message with the role `user`, because APIs take one result per call
 * and the receipt was that one. Models get it as text.
 */
export interface LateResultPart extends Omit<ToolResultPart, 'type' | 'calledAs' | 'detached'> {
  readonly type: 'late-result';
  /** Name of the call's tool, for display. */
  readonly title?: string;
}

/** A typed piece of a message. */
export type Part =
  | ContentPart
  | ReasoningPart
  | SourcePart
  | ToolCallPart
  | ProviderResultPart
  | ToolResultPart
  | LateResultPart;

/** Author of an assistant message, and the state that its provider needs back unchanged. */
export interface MessageOrigin {
  /** Wire format, as in {@link ModelInfo.api}. */
  readonly api: string;
  readonly model: string;
  /** Opaque. Sent back to the same API only; dropped for all others. */
  readonly state?: Json;
}

/** A message of a thread. */
export interface Message {
  readonly id: string;
  /** Id of the message before it; null if it is the first. Default: the message stored before it. See `branchOf`. */
  readonly parentId?: string | null;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly origin?: MessageOrigin;
  /** True if the stream ended before the message did. */
  readonly incomplete?: true;
  /** Id of the run that added it. */
  readonly runId?: string;
  /** Usage of the turn that produced an assistant message. */
  readonly usage?: Usage;
  /**
   * True if outside content had been read when it was written, even if the results with that content have left the
   * history.
   */
  readonly tainted?: true;
}

/** A message without an id; a run assigns one. */
export type NewMessage = Pick<Message, 'role' | 'parts'>;

/** A message of the user. */
export function userMessage(text: string): NewMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

/** Text of a message or of a tool's result: its text parts, concatenated. */
export function textOf(parts: readonly Part[]): string {
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Name under which a call is sent back to its API: the one that the model wrote. */
export function calledName({ name, calledAs = name }: Pick<ToolCallPart, 'name' | 'calledAs'>): string {
  return calledAs;
}

/** A call under its tool's current name. */
export function renameCall<Call extends Pick<ToolCallPart, 'name' | 'calledAs'>>(call: Call, name: string): Call {
  return name === call.name ? call : { ...call, name, calledAs: calledName(call) };
}

/** The members by which a result refers to its call. */
export function callReference({
  callId,
  name,
  calledAs,
}: Pick<ToolCallPart, 'callId' | 'name' | 'calledAs'>): Pick<ToolResultPart, 'callId' | 'name' | 'calledAs'> {
  return { callId, name, ...(calledAs !== undefined && { calledAs }) };
}

/** The calls of a message that we have to run, in call order. */
export function callsOf(message: Pick<Message, 'parts'>): readonly ToolCallPart[] {
  return message.parts.filter(isOurCall);
}

/** True if a message has calls that we must run. */
export function hasCalls(message: Pick<Message, 'parts'>): boolean {
  return message.parts.some(isOurCall);
}

/** True for a call that we have to run. */
export function isOurCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.executedBy === 'us';
}

/** A message with other parts, and so without the provider's state, which repeats the former ones. */
export function withParts({ origin, ...message }: Message, parts: readonly Part[]): Message {
  return { ...message, parts, ...(origin && { origin: { api: origin.api, model: origin.model } }) };
}
