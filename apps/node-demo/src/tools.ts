import { basename } from 'node:path';
import type { Files, Host, Shell, Tool } from '@utensil/core';
import type { LocalShell } from '@utensil/local-shell';
import { directoryReader } from '@utensil/storage-filesystem';
import { createAgents, modelTable, spawnAgentTool } from '@utensil/tool-agent';
import { filesystemTool } from '@utensil/tool-filesystem';
import { javascriptTool } from '@utensil/tool-javascript';
import { memoryTool } from '@utensil/tool-memory';
import { askUserTool } from '@utensil/tool-notes';
import { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from '@utensil/tool-time';
import { openLinkTool, webSearchTool } from '@utensil/tool-web';
import * as workspace from '@utensil/tool-workspace';
import { lazyFetch, lazySandbox } from './lazy-tools.ts';

/** JavaScript whose scripts may call the other tools, unless the person says otherwise. */
const scripting: Tool = {
  ...javascriptTool,
  options: {
    ...javascriptTool.options,
    ...(javascriptTool.options && { callTools: { ...javascriptTool.options.callTools, default: true } }),
  },
};

/** There is one project, and notes are kept by the memory tool. */
const workspaceTools: readonly Tool[] = [
  workspace.listFilesTool,
  workspace.globFilesTool,
  workspace.searchFilesTool,
  workspace.readFilesTool,
  workspace.writeFileTool,
  workspace.editFileTool,
  workspace.moveTool,
  workspace.deleteFilesTool,
  workspace.viewImagesTool,
  workspace.viewDocumentsTool,
];

const shellTools: readonly Tool[] = [workspace.executeCommandTool, workspace.writeStdinTool].map((tool) => ({
  ...tool,
  defaultEnabled: true, // they are there only where a person has asked for them
}));

const tools: readonly Tool[] = [
  filesystemTool,
  memoryTool,
  ...workspaceTools,
  scripting,
  webSearchTool,
  openLinkTool,
  currentTimeTool,
  timeByEpochTool,
  timeRangeTool,
  convertTimeTool,
  askUserTool,
  { ...spawnAgentTool, defaultEnabled: false }, // an agent costs as much as a conversation
];

/** All tools of the demo, those too that only some folders have. */
export const allTools: readonly Tool[] = [...tools, ...shellTools];

/** The tools of the demo; those that run commands only if there is a shell. */
export function demoTools({ shell }: { readonly shell?: Shell | undefined }): readonly Tool[] {
  return shell === undefined ? tools : allTools;
}

/** Host of a folder's tools. */
export interface ToolHost {
  /** For files that belong to somebody's turn. */
  withFiles(files: Files): Host;
  /** Ends what runs for the tools. */
  close(): Promise<void>;
}

/** Opens what the tools of a folder need; most of it is loaded when it is first used. */
export function openToolHost({
  folder,
  shell,
}: {
  readonly folder: string;
  readonly shell?: LocalShell | undefined;
}): ToolHost {
  const reader = directoryReader(folder);
  const sandbox = lazySandbox();
  const fetch = lazyFetch();
  const agents = createAgents();
  const models = modelTable();
  return {
    withFiles: (files) => ({
      files,
      projects: workspace.projectsOf({ [basename(folder)]: { files, reader } }),
      sandbox,
      fetch,
      agents,
      models,
      ...(shell && { shell }),
    }),
    async close() {
      await Promise.all([sandbox.close(), shell?.close()]);
    },
  };
}
