import type { Tool } from '../tool/tool.ts';

/** Limits on the part of a result that the model sees. */
export interface OutputLimits {
  /** In characters. */
  readonly outputLimit?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** Instructions for reading the omitted part, if there is a tool for that. */
  readonly readBack?: string | undefined;
  /** Redacts text that the model must not see; before anything is cut, so that no fragment remains. */
  clean?(text: string): string;
}

/** Default limit of a result's text for the model, in characters. */
const usualLimit = 100_000;

/** Lower bound in characters: less would tell a model too little, whatever its context window. */
const leastLimit = 2_000;

/** Limit of a result's text: about a quarter of the context window, at most the default. */
export function outputLimitFor(contextWindow = usualLimit): number {
  return Math.min(usualLimit, Math.max(leastLimit, contextWindow)); // about four characters per token
}

/** Maximum characters of a result's text: the tool's own limit, or the run's, or a share of the context window. */
export function outputLimitOf(tool: Pick<Tool, 'outputLimit'>, { outputLimit, contextWindow }: OutputLimits): number {
  return tool.outputLimit ?? outputLimit ?? outputLimitFor(contextWindow);
}
