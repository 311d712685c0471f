import type { ToolDefinition } from '@utensil/core';
import { declarationsOf } from './declarations.ts';
import { mostCalls } from './script-calls.ts';

/** Prompt about the tools that scripts can call; empty if there are none. */
export function promptOf(definitions: readonly ToolDefinition[]): string {
  const declarations = declarationsOf(definitions.filter((each) => each.type === 'native' || each.defer !== true));
  if (declarations === '') return '';
  return `In javascript, \`tools\` has the other tools as async functions. If a task takes several calls, or large outputs of which you need little, write one script: independent calls go into Promise.all, and you see only the value that you return. A call that fails throws an Error with the tool's text and a code. Tools do not see what the script writes with fs until it is over. A script can make ${mostCalls} calls; what they change stays when it fails.
\`\`\`ts
${declarations}
\`\`\``;
}
