import type { ToolDefinition } from '../../model/model.ts';
import { tokensOfText } from './estimate.ts';

/** The parts of a request other than its messages. */
export interface Beside {
  readonly system: string | undefined;
  readonly tools: { readonly told: readonly ToolDefinition[] } | undefined;
}

/** Estimates these parts in tokens, each prompt and list of tools once. Deferred tools count as zero. */
export function besideCounter(): (beside: Beside) => number {
  let system: string | undefined;
  let told: readonly ToolDefinition[] | undefined;
  let tokens = { ofSystem: 0, ofTools: 0 };
  return function besideTokens(beside) {
    if (beside.system !== system) tokens = { ...tokens, ofSystem: tokensOfText(beside.system ?? '') };
    if (beside.tools?.told !== told) tokens = { ...tokens, ofTools: tokensOfTools(beside.tools?.told ?? []) };
    ({ system } = beside);
    told = beside.tools?.told;
    return Math.ceil(tokens.ofSystem + tokens.ofTools);
  };
}

function tokensOfTools(tools: readonly ToolDefinition[]): number {
  const whole = tools.filter((each) => each.type === 'native' || each.defer !== true);
  return whole.length === 0 ? 0 : tokensOfText(JSON.stringify(whole));
}
