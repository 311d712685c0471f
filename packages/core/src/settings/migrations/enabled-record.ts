import type { OldDocument } from './step.ts';

/** A record that says of each tool whether it is on: what it does not name is on or off as the tool itself says. */
export function fromEnabledRecord(record: OldDocument): OldDocument {
  const entries = Object.entries(record);
  if (entries.length === 0 || entries.some(([, enabled]) => typeof enabled !== 'boolean')) return record;
  return { version: 0, tools: Object.fromEntries(entries.map(([name, enabled]) => [name, { enabled }])) };
}
