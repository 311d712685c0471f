export { memoryTool } from './memory.ts';
