// Unions of objects, for adapters and dialects that have not to do with requests as `modelOver` makes them.
export { describeInput, describeTool } from './describe-tool.ts';
export { plainObjectSchema } from '../../schema/plain-object.ts';
