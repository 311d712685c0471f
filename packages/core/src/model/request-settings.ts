import type { JsonSchema } from '../base/json.ts';

/**
 * Format of the answer's text: JSON, or JSON that matches a schema. Does not affect tool calls, but some vendors refuse
 * a request that has tools too.
 */
export type ResponseFormat = 'json' | { readonly schema: JsonSchema; readonly name?: string };

/** Latency and price class of an answer. */
export type ServiceTier = 'auto' | 'standard' | 'flex' | 'priority';

/** Settings that some wire formats have fields for. A run reports each unsupported one as `setting-ignored`. */
export interface RequestSettings {
  /** Randomness, from 0; most vendors accept at most 2. Default: the vendor's. */
  readonly temperature?: number;
  /** Nucleus sampling: the cumulative probability of candidate tokens, from 0 to 1. Default: the vendor's. */
  readonly topP?: number;
  /** Stop sequences. */
  readonly stop?: readonly string[];
  /** Integer seed for reproducible answers, to the extent that the vendor supports it. */
  readonly seed?: number;
  /** Default: text. */
  readonly responseFormat?: ResponseFormat;
  /** Default: the vendor's. */
  readonly serviceTier?: ServiceTier;
}

export type SettingName = keyof RequestSettings;

/**
 * Supported values of a setting: all; all if `reasoning` is `none`; or those listed. A response format is `json` or
 * `schema`.
 */
export type TakenValues = true | 'no-reasoning' | readonly string[];

/** The settings that a model supports. Absent: not supported. */
export type TakenSettings = { readonly [Name in SettingName]?: TakenValues };

/** All settings. */
export const settingNames = Object.keys({
  temperature: 0,
  topP: 0,
  stop: 0,
  seed: 0,
  responseFormat: 0,
  serviceTier: 0,
} satisfies Record<SettingName, 0>) as readonly SettingName[];

type Asked = RequestSettings & { readonly reasoning?: string | undefined };

/** True if a request has any settings. */
export function hasSettings(request: RequestSettings): boolean {
  return settingNames.some((name) => request[name] !== undefined);
}

/** True if a model supports a request's setting with its value. */
export function isTaken(request: Asked, name: SettingName, taken: TakenSettings = {}): boolean {
  const values = taken[name];
  if (typeof values === 'object') return values.includes(kindOf(request[name]));
  return values === true || (values === 'no-reasoning' && request.reasoning === 'none');
}

function kindOf(value: RequestSettings[SettingName]): string {
  return typeof value === 'object' ? 'schema' : String(value);
}

/** The unsupported settings of a request, with reasons. */
export function ignoredSettings(
  request: Asked,
  taken: TakenSettings = {},
): readonly { readonly setting: SettingName; readonly reason: string }[] {
  return settingNames
    .filter((name) => request[name] !== undefined && !isTaken(request, name, taken))
    .map((setting) => ({ setting, reason: reasonFor(setting, { value: request[setting], values: taken[setting] }) }));
}

function reasonFor(
  name: SettingName,
  { value, values }: { readonly value: RequestSettings[SettingName]; readonly values: TakenValues | undefined },
): string {
  if (values === 'no-reasoning') return `\`${name}\` is taken only with \`reasoning: 'none'\`.`;
  if (typeof values !== 'object') return `There is no field for \`${name}\`.`;
  return `\`${name}\` can be ${values.join(' or ')}, not ${kindOf(value)}.`;
}
