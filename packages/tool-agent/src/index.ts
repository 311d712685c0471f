export { agents, createAgents } from './agents.ts';
export type { AgentAnswer, Agents, AgentsOptions } from './agents.ts';
export { fileHooks } from './file-hooks.ts';
export type { FileHooksOptions, HookEvent } from './file-hooks.ts';
export { modelTable } from './models.ts';
export { spawnAgentTool } from './spawn-agent.ts';
