// Tools for data that does not fit into a prompt: many tools, and long outputs.
export { callTool } from './call-tool.ts';
export { findTools } from './find-tools.ts';
export { readOutput } from './read-output.ts';
