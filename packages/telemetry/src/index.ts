export { traceRun } from './trace-run.ts';
export type { TraceOptions } from './trace-run.ts';
