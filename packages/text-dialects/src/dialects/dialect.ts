/** Syntax of a dialect's calls: data for one of seven readers and writers. */
export type Grammar =
  | JsonGrammar
  | NamedGrammar
  | KeyedGrammar
  | BraceGrammar
  | TagGrammar
  | LineGrammar
  | PythonGrammar;

/** A call is a JSON object: `{"name": …, "arguments": {…}}`, in a frame or bare. */
export interface JsonGrammar {
  readonly kind: 'json';
  /** Text before the object; empty for an object in the middle of text, which must name a known tool. */
  readonly open: string;
  /** Text after the object; empty if the block ends with it. */
  readonly close: string;
  /** Keys of the tool's name; the first is written. */
  readonly name: readonly [string, ...string[]];
  /** Keys of the arguments; the first is written. */
  readonly input: readonly [string, ...string[]];
  /** Several calls are written as an array, joined by `; `, or each in a frame of its own (the default). */
  readonly several?: 'array' | 'joined';
  /** Separator of a name from its arguments if no object encloses them: `[ARGS]` in `name[ARGS]{…}`. */
  readonly between?: string;
  /** Separator of a name from an id of the call, which is skipped: `[CALL_ID]` in `name[CALL_ID]abc[ARGS]{…}`. */
  readonly id?: string;
  /** An object without the frame is a call too, where it names a known tool. */
  readonly bare?: boolean;
  /** The key of a number as text that calls of a block are counted by, from 0. Written first, and passed over. */
  readonly counts?: string;
}

/**
 * A call is a marker that has the tool's name in it, and a JSON object behind that: `functions.f:0<|argument|>{…}`. In
 * templates `{name}`, `{id}` and line breaks are as those of tags; `{id}` is written as the number of the call in its block.
 */
export interface NamedGrammar {
  readonly kind: 'named';
  /** Markers; the first is written. */
  readonly open: readonly [string, ...string[]];
  /** Stands behind the object, in this order; any of it may be missing. */
  readonly close: readonly string[];
  /** Around the calls of a block. Read, it may be missing. */
  readonly frame?: readonly [open: string, close: string];
  /** Remains of calls if a server drops special tokens: read for a known tool, and in `auto` for the family alone. */
  readonly isRest?: true;
}

/** Calls are a list of JSON objects, each with the name of its tool for a key: `[{"f": {…}}]`. */
export interface KeyedGrammar {
  readonly kind: 'keyed';
  readonly open: string;
  readonly close: string;
}

/** A call is a name with members in braces behind it, whose keys are bare: `call:f{n:2,t:<|"|>text<|"|>}`. */
export interface BraceGrammar {
  readonly kind: 'braces';
  readonly open: string;
  readonly close: string;
  /** Around strings, which have no escapes. */
  readonly quote: string;
  /** As that of {@link NamedGrammar}. */
  readonly isRest?: true;
}

/**
 * A call is an element with an element for each parameter. In its templates `{name}` stands for a name, never at the
 * beginning, `{id}` for a word that is passed over, and a line break for any blanks, or none: `<arg_key>{name}</arg_key>\n<arg_value>`.
 */
export interface TagGrammar {
  readonly kind: 'tags';
  /** Around the calls. */
  readonly frame?: readonly [open: string, close: string];
  readonly call: readonly [open: string, close: string];
  readonly parameter: readonly [open: string, close: string];
  /** The parameter that comes first and carries the tool's name, where the call's tag does not. */
  readonly name?: string;
  /** Only names of known tools are calls: any element could be one. */
  readonly knownOnly?: boolean;
  /** Markup of the grammar within a value is an error, and so is a call that is not closed. */
  readonly strict?: boolean;
  /** A value ends where a known tag comes without its closing tag: the call is wrong, and reading resumes at that tag. */
  readonly recovers?: boolean;
  /** An array is written as its parameter repeated, in the singular (`path` for `paths`); else as JSON. */
  readonly repeats?: boolean;
  /** True if values always stand on lines of their own. Default: only if they have several lines. */
  readonly block?: boolean;
  /** True if values include all text between the tags, with line breaks at both ends. */
  readonly inline?: boolean;
  /** The calls of a turn share one frame. Read, each may have its own. */
  readonly sharesFrame?: boolean;
}

/** A call is a block of lines: a fence with the name, `key: value`, `key ---` … `--- key`, `key: [` … `]`, a fence. */
export interface LineGrammar {
  readonly kind: 'lines';
  /** At the beginning of a line. */
  readonly fence: string;
  /** Around a value of several lines. */
  readonly rule: string;
}

/** Calls are a list of Python calls with keyword arguments: `[f(a='x'), g()]`. */
export interface PythonGrammar {
  readonly kind: 'python';
  /** A call a line, without a list around them. */
  readonly lines?: boolean;
  /** Around the list; empty for a bare list, which must name a known tool. */
  readonly open: string;
  readonly close: string;
}

/** Form of results for the model. `{name}` stands for the tool's name. */
export interface ResultFrame {
  readonly open: string;
  /** In place of `open`, for errors. */
  readonly error: string;
  readonly close: string;
  /** `json`: one JSON string on the line; `text`: verbatim, with markup of the dialect escaped by backslashes. */
  readonly body: 'json' | 'text';
}

/**
 * Tools as the chat template of a family lists them. In `each` stand `{tool}` for the definition of OpenAI's API as JSON,
 * `{function}` for its inner object, `{name}`, `{description}` and `{schema}`, and for declarations
 * `{typescript}`, `{python}`, and `{braces}` and `{escapes}`, which are those of Gemma 4 and FunctionGemma.
 */
export interface ToolList {
  readonly open: string;
  readonly each: string;
  /** Default: a line break. */
  readonly between?: string;
  readonly close: string;
}

/** Tags around the thoughts of a family: neither may be empty. */
export interface Thoughts {
  readonly open: string;
  readonly close: string;
  /** The chat template writes `open`: a turn begins inside a thought. Default false. */
  readonly isOpened?: boolean;
}

/**
 * A text protocol for tool calls, as data.
 *
 * @example
 * ```ts
 * import type { Dialect } from '@utensil/text-dialects';
 *
 * const angled: Dialect = {
 *   name: 'angled',
 *   grammar: { kind: 'json', open: '<<call ', close: '>>', name: ['tool'], input: ['with'] },
 *   result: { open: '<<result {name}\n', error: '<<error {name}\n', close: '\n>>', body: 'text' },
 *   definitions: 'json',
 *   fences: [],
 *   after: 'keep',
 * };
 * ```
 */
export interface Dialect {
  readonly name: string;
  /** Syntax of calls, for writing and reading. */
  readonly grammar: Grammar;
  /** Other forms in which models of the family write calls: older templates, aliases of tags. Read, never written. */
  readonly also?: readonly Grammar[];
  /** Default `<think>` and `</think>`. The thoughts of other families are known too, and no call in them counts. */
  readonly thoughts?: Thoughts;
  /** The text that the chat template writes before a turn, if its calls begin with it: a turn may begin with the rest of a call. */
  readonly begins?: string;
  /** Tokens that end a turn: nothing behind them is read. */
  readonly ends?: readonly string[];
  /** Tokens of the chat template that carry no content, such as frames around all calls: removed from text. */
  readonly hidden?: readonly string[];
  readonly result: ResultFrame;
  /** Form of tools in the prompt: as JSON Schema, in words, or as a family was trained on. */
  readonly definitions: 'json' | 'text' | ToolList;
  /** Labels of code fences in which calls count; in any other fence they are an example. `''` for none. */
  readonly fences: readonly string[];
  /** Treatment of text after a call: kept, dropped, or not waited for, so that there is one call in a turn. */
  readonly after: 'keep' | 'drop' | 'stop';
  /** False: `auto` reads it only for models of its family, as other text looks like it too often. Default true. */
  readonly inAuto?: boolean;
  /** Text for the model, after the instructions of every dialect. */
  readonly advice?: string;
}
