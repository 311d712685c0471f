export { convertTimeTool } from './convert-time.ts';
export { currentTimeTool, timeByEpochTool } from './current-time.ts';
export type { Moment } from './moment.ts';
export { rangeOf } from './range.ts';
export type { RangeContext, TimeRange } from './range.ts';
export { timeRangeTool } from './time-range.ts';
