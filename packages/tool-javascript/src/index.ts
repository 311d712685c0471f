export { javascriptTool } from './javascript.ts';
