import { outputLimitFor } from '../tool/output.ts';
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

/** Maximum characters of a result's text: the tool's own limit, or the run's, or a share of the context window. */
export function outputLimitOf(tool: Pick<Tool, 'outputLimit'>, { outputLimit, contextWindow }: OutputLimits): number {
  return tool.outputLimit ?? outputLimit ?? outputLimitFor(contextWindow);
}
