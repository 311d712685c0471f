import { createRegistry, option } from '@utensil/core';
import type { Registry, Tool } from '@utensil/core';
import { filesystemTool } from '@utensil/tool-filesystem';
import { javascriptTool } from '@utensil/tool-javascript';
import { memoryTool } from '@utensil/tool-memory';
import { askUserTool, planTool } from '@utensil/tool-notes';
import { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from '@utensil/tool-time';
import { openLinkTool, webSearchTool } from '@utensil/tool-web';

/** Scripts may call the other tools from the start here, each under the same permissions. */
const codeMode: Tool = {
  ...javascriptTool,
  options: {
    ...javascriptTool.options,
    callTools: option.boolean({
      label: 'Call tools',
      description: 'Lets scripts call the other tools, under the same permissions.',
      default: true,
    }),
  },
};

/** The tools of the app's own: every file of `src/tools` is one. */
const ownTools = Object.values(import.meta.glob<Record<string, Tool>>('../tools/*.ts', { eager: true })).flatMap(
  Object.values,
);

/** The tools of the app. A package's is added here, one of the app's own is a file: its switch, options, prompt and calls follow. */
export function createTools(): Registry {
  return createRegistry([
    filesystemTool,
    memoryTool,
    codeMode,
    webSearchTool,
    openLinkTool,
    planTool,
    askUserTool,
    currentTimeTool,
    timeByEpochTool,
    timeRangeTool,
    convertTimeTool,
    ...ownTools,
  ]);
}
