import type { ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Usage } from './usage.ts';

/** Who declined a call: the user, the policy, or nobody, if a question was needed and nobody could be asked. */
export type Denier = 'user' | 'policy' | 'nobody';

/** Members of a part beyond those that all vendors know, by wire format: `{ 'anthropic-messages': { cache_control: … } }`. */
export interface PartOptions {
  readonly [api: string]: JsonObject;
}

/** A part of a request that an app may tell one vendor more of. */
interface WithOptions {
  /** Goes into the part on the wire of the api that it names, and to no other. A run reports it as `setting-ignored` if that api's parts have no options. */
  readonly providerOptions?: PartOptions;
}

/** Plain text, from the user or the model. */
export interface TextPart extends WithOptions {
  readonly type: 'text';
  readonly text: string;
  /** The text is the content of this, in this version: it is shown once. */
  readonly resource?: { readonly key: string; readonly etag: string };
}

/** What the model thought aloud. Shown to people; only the provider that wrote it ever gets it back. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
}

/** An image, as base64 `data` or as a `url`. */
export interface ImagePart extends WithOptions {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly data?: string;
  readonly url?: string;
}

/** A recording of sound, as base64 `data` or as a `url`. */
export interface AudioPart extends WithOptions {
  readonly type: 'audio';
  /** For example `audio/mpeg`. */
  readonly mediaType: string;
  readonly name?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A document or any other file, as base64 `data` or as a `url`. */
export interface FilePart extends WithOptions {
  readonly type: 'file';
  /** For example `application/pdf`. */
  readonly mediaType: string;
  readonly name?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A link to a resource that a user or a tool points at. Nothing fetches it; models get it as a line of text. */
export interface ResourceLinkPart {
  readonly type: 'resource-link';
  /** Of any scheme, from anybody: not an address to follow unchecked. */
  readonly uri: string;
  readonly name: string;
  /** For people, if `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  readonly mediaType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A page or document that the model cites. */
export interface SourcePart {
  readonly type: 'source';
  readonly url: string;
  readonly title?: string;
}

/** Result of a call that the provider ran itself. For people: the model has it in what the provider gets back. */
export interface ProviderResultPart {
  readonly type: 'provider-result';
  readonly callId: string;
  /** That of the call. */
  readonly name: string;
  /** As the provider has it. */
  readonly output: Json;
  readonly isError: boolean;
}

/** A call of a tool by the model. */
export interface ToolCallPart {
  readonly type: 'tool-call';
  /** The provider's id of the call; results refer to it. Unique within a thread. */
  readonly callId: string;
  /** The tool's own name; the model's text if there is no such tool. */
  readonly name: string;
  /** The name that the model wrote, if it was a former one: its API gets that back, and nothing else goes by it. */
  readonly calledAs?: string;
  /** The arguments as they were executed (after repair). `{}` if the model's text was no JSON object, or nested too deeply. */
  readonly input: JsonObject;
  /** The model's own text, if it could not be parsed or was nested more than 500 levels deep. The call is answered with an error. */
  readonly invalidInput?: string;
  /** What was repaired before the call was valid, one sentence each. */
  readonly repairs?: readonly string[];
  /** Who runs it: us, or the provider's own server (which brings the result too). */
  readonly executedBy: 'us' | 'provider';
  /** It is not the model's own, but that of a hook or another program. */
  readonly openWorld?: true;
  /** For people, written when the call was made, so that later changes of the tool do not alter old threads. */
  readonly title?: string;
  readonly icon?: string;
}

/** A part of a user's message, or of a tool's answer to the model. */
export type ContentPart = TextPart | ImagePart | AudioPart | FilePart | ResourceLinkPart;

/** The answer to one call: what ran, what the model saw, what the user sees. */
export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly name: string;
  /** As the call has it. */
  readonly calledAs?: string;
  /** What the tool returned, as JSON. */
  readonly output: Json;
  /** What the model sees. Never empty. */
  readonly modelParts: readonly ContentPart[];
  /** One line for people on how it went. */
  readonly status?: string;
  /** What a person sees, where the tool says more than the model's text. */
  readonly userView?: Json;
  readonly isError: boolean;
  /** Why it failed: `tool_denied` if it was declined, `tool_cancelled` if it never began, `tool_interrupted` if nobody knows how it ended. */
  readonly code?: ErrorCode;
  /** Who declined it, with the code `tool_denied`; absent in threads stored before it was recorded. */
  readonly deniedBy?: Denier;
  /** Identifies the definition that ran; absent where none did (unknown tool, denied, cancelled before its start). */
  readonly toolFingerprint?: string;
  /** It comes from the world outside, where anybody may have written it. */
  readonly openWorld?: boolean;
  readonly durationMs?: number;
  /** The call goes on in the background, and this is its receipt. What its tool knows it by, for `settle`. */
  readonly detached?: Json;
}

/**
 * The result of a call that went on in the background, in a message with the role `user`: APIs take one result a call, and
 * that was the receipt. A run shows it to models as text.
 */
export interface LateResultPart extends Omit<ToolResultPart, 'type' | 'calledAs' | 'detached'> {
  readonly type: 'late-result';
  /** That of the call, for people. */
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

/** Who wrote an assistant message, and what that provider wants back untouched. */
export interface MessageOrigin {
  /** The wire format, as in {@link ModelInfo.api}. */
  readonly api: string;
  readonly model: string;
  /** Opaque: sent back to the same api only, and dropped for every other. */
  readonly state?: Json;
}

/** A message of a thread. */
export interface Message {
  readonly id: string;
  /** The message that it follows, null for none. Default: the one that was stored before it. See `branchOf`. */
  readonly parentId?: string | null;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly origin?: MessageOrigin;
  /** The stream ended before the message did. */
  readonly incomplete?: true;
  /** The run that it was added by. */
  readonly runId?: string;
  /** What an assistant message took. */
  readonly usage?: Usage;
  /** Outside content had been read when it was written, though the results that brought it may be gone from the history. */
  readonly tainted?: true;
}

/** A message that has no id yet; a run gives it one. */
export type NewMessage = Pick<Message, 'role' | 'parts'>;

/** A message of the user. */
export function userMessage(text: string): NewMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

/** The text of a message or of a tool's answer: its text parts, joined. */
export function textOf(parts: readonly Part[]): string {
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The name under which a call goes back to the API whose model made it: the one that the model wrote. */
export function calledName({ name, calledAs = name }: Pick<ToolCallPart, 'name' | 'calledAs'>): string {
  return calledAs;
}

/** A call under its tool's own name. */
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
  return message.parts.filter((part): part is ToolCallPart => part.type === 'tool-call' && part.executedBy === 'us');
}
