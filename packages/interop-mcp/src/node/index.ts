// MCP over the streams of a process, and over ports.
export { serveMcpHttp } from './serve-http.ts';
export type { McpHttpOptions, McpHttpServer } from './serve-http.ts';
export { serveMcpStdio } from './serve-stdio.ts';
export type { McpStdioOptions, McpStdioServer } from './serve-stdio.ts';
export { mcpProgram } from './program.ts';
export { stdioServer } from './stdio-server.ts';
export type { StdioServerOptions } from './stdio-server.ts';
