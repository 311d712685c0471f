import type { OldDocument } from './step.ts';

/** Reads a record of booleans by tool. A tool that is not listed keeps its own default. */
export function fromEnabledRecord(record: OldDocument): OldDocument {
  const entries = Object.entries(record);
  if (entries.length === 0 || entries.some(([, enabled]) => typeof enabled !== 'boolean')) return record;
  return { version: 0, tools: Object.fromEntries(entries.map(([name, enabled]) => [name, { enabled }])) };
}
