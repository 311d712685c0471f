export {};
export { executeCommandTool } from './shell/execute-command.ts';
export { writeStdinTool } from './shell/write-stdin.ts';
