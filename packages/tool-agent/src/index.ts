export { agents, createAgents } from './agents.ts';
export type { AgentAnswer, Agents, AgentsOptions } from './agents.ts';
export { fileHooks } from './file-hooks.ts';
export type { FileHooksOptions, HookEvent } from './file-hooks.ts';
export { models, modelTable } from './models.ts';
export type { ModelChoice, Models } from './models.ts';
export { spawnAgentTool } from './spawn-agent.ts';
