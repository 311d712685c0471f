import { createRegistry } from '@utensil/core';
import type { Registry } from '@utensil/core';
import { filesystemTool } from '@utensil/tool-filesystem';
import { javascriptTool } from '@utensil/tool-javascript';
import { memoryTool } from '@utensil/tool-memory';
import { askUserTool, planTool } from '@utensil/tool-notes';
import { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from '@utensil/tool-time';
import { openLinkTool, webSearchTool } from '@utensil/tool-web';

/** The tools of the app. To add one, add it here: its switch, its options, its prompt and its calls follow. */
export function createTools(): Registry {
  return createRegistry([
    filesystemTool,
    memoryTool,
    javascriptTool,
    webSearchTool,
    openLinkTool,
    planTool,
    askUserTool,
    currentTimeTool,
    timeByEpochTool,
    timeRangeTool,
    convertTimeTool,
  ]);
}
