import type { ToolCall } from '../model/model.ts';
import type { StoredCall } from '../tool/tool.ts';

/** A call for a toolset to prepare: its name and arguments. */
export type RequestedCall = Pick<ToolCall, 'name' | 'input' | 'invalidInput'> & {
  /** It is from a thread, perhaps for an earlier version of the tool. */
  readonly stored?: Pick<StoredCall, 'toolFingerprint'>;
};
