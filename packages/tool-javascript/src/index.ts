export { javascriptTool, javascriptToolWithFetch } from './javascript.ts';
