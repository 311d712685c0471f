// A toolset as an MCP server, for any runtime with the web's Request and Response. Processes and ports are in `./node`.
export { mcpHandler } from './handler.ts';
export type { McpHandler, McpHandlerOptions } from './handler.ts';
export type { BearerAuth, VerifiedToken } from './bearer.ts';
export type { McpCaller, McpServerOptions, ServedTools } from './options.ts';
export { askClient } from './asking.ts';
export type { McpServerCard } from './card.ts';
