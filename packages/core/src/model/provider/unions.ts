// Unions of objects, for adapters and dialects that build requests without `modelOver`.
export { describeInput, describeTool } from './describe-tool.ts';
export { plainObjectSchema } from '../../schema/plain-object.ts';
