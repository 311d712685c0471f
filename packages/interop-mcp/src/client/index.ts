// Tools of MCP servers, for any runtime with the web's `fetch`. Servers that are processes are in `./node`.
export { mcpSource } from './source.ts';
export { readMcpConfig } from './config.ts';
export type { McpCommand, McpConfig, McpConfigOptions, ConfiguredServer } from './config.ts';
export type { AskPerson, McpAnswer, McpAskContext, McpFormQuestion, McpQuestion, McpUrlQuestion } from './questions.ts';
export { samplingTool } from './sampling-tool.ts';
export type { SamplingToolOptions } from './sampling-tool.ts';
export type { McpSampling } from './sampling.ts';
export type { McpRoot, McpRoots } from './roots.ts';
export type { McpSource, McpSourceOptions, McpState, McpStatus } from './options.ts';
export type {
  McpAuthProvider,
  McpCustomServer,
  McpEra,
  McpHttpServer,
  McpServer,
  McpSignIn,
  McpTransport,
} from './server.ts';
