import type { Json, JsonObject } from '../base/json.ts';
import type { Method } from '../base/method.ts';
import type { ContentPart } from '../model/message.ts';

/** Presentation of calls and results to people and to the model. */
export interface ToolRender {
  /**
   * Title of a call: a template of input fields, `Read {path}`, or a function of the input. Truncated to 50 characters.
   */
  readonly title?: string | Method<[input: JsonObject], string>;
  /** Outcome in one line. */
  readonly status?: Method<[output: Json], string>;
  /** Parts of an output for the model. `output` may have been stored by an older version of the tool. */
  readonly model?: Method<[output: Json], string | readonly ContentPart[]>;
  /** Output for people: text, or JSON for a card of the app. */
  readonly user?: Method<[output: Json], Json>;
}

/** Appearance of a tool in settings and threads. */
export interface ToolUi {
  readonly subtitle?: string;
  /** An emoji, or the name of an icon of Lucide or of the app. */
  readonly icon?: string;
  readonly category?: string;
  /** Names for use in a message, such as `@web`, if the app uses `expandAliases`. */
  readonly aliases?: readonly string[];
}

/**
 * Effect of a call on files, for a screen that shows the difference. Absent text: the file does not exist, or is not
 * text.
 */
export interface Preview {
  readonly type: 'changes';
  readonly changes: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  /** True if everything the call does can be undone: see `changesPreview`. The question then carries no warning. */
  readonly undoable?: boolean;
}
