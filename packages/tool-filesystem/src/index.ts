export { filesystemTool } from './filesystem.ts';
