/** Wording shared by all file tools. {@link fill} replaces `{path}` and other placeholders. */
export const commonTexts = {
  commandRequired: 'Error: command is required',
  pathRequired: 'Error: path is required for {command} command',
  bothPathsRequired: 'Error: old_path and new_path are required for {command} command',
  fileTextRequired: 'Error: file_text is required for {command} command',
  oldTextRequired: 'Error: old_str is required for {command} command',
  lineRequired: 'Error: insert_line (number) is required for {command} command',
  insertTextRequired: 'Error: insert_text is required for {command} command',
  pathsRequired: 'Error: paths (array) is required for {command} command',
  pathsEmpty: 'Error: paths array is required and must not be empty.',

  empty: '(empty)',
  listingTruncated:
    '[Listing truncated: showing {shown} of {total} entries. View a directory below {path} to see more.]',
  file: "Here's the content of {path} with line numbers:",
  contentTruncated:
    '[Content truncated: showing lines {first}-{last} of {total} total. Use view with view_range [{next}, {end}] to see more.]',
  lineTruncated: '[Line {line} truncated: showing {shown} of {total} characters.]',
  invalidRange: 'Error: Invalid `view_range` parameter: [{range}]. Lines in {path}: {total}.',
  viewMissing: 'The path {path} does not exist. Please provide a valid path.',
  binary: 'Binary file {path} ({type}):',
  binaryTooLarge: 'Binary file {path} ({type}), too large to show: {size} bytes, SHA-256 {hash}',
  section: '=== {path} ===',
  errorSection: '=== {path} [ERROR] ===',
  pathsTruncated: '[Paths truncated: showing {shown} of {total}. View the others in further calls.]',

  created: 'File created successfully at: {path}',
  fileExists: 'Error: File {path} already exists',
  createRoot: 'Error: Cannot create a file at the root path.',
  appended: 'Content appended to {path}',
  appendRoot: 'Error: Cannot append to the root path.',
  appendBinary: 'Error: Cannot append to binary file {path}.',
  writeToDirectory: 'Error: {path} is a directory, not a file.',
  directoryCreated: 'Directory created successfully at: {path}',
  directoryExists: 'Error: Directory {path} already exists',
  fileInTheWay: 'Error: A file already exists at {path}',
  directoryRoot: 'Error: Cannot create directory at the root path.',

  replaceMissing: 'Error: The path {path} does not exist. Please provide a valid path.',
  oldTextEmpty: 'No replacement was performed, old_str is empty. Use insert to add text.',
  oldTextNotFound: 'No replacement was performed, old_str `{oldText}` did not appear verbatim in {path}.',
  oldTextNotUnique:
    'No replacement was performed. Multiple occurrences of old_str `{oldText}` in lines: {lines}. Please ensure it is unique',
  inserted: 'The file {path} has been edited.',
  insertMissing: 'Error: The path {path} does not exist',
  invalidLine:
    'Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {total}]',
  notAFile: 'Error: The path {path} is a directory, not a file.',

  deleted: 'Successfully deleted {path}',
  deleteMissing: 'Error: The path {path} does not exist',
  renamed: 'Successfully renamed {from} to {to}',
  renameRoot: 'Error: Cannot rename root directory.',
  renameMissing: 'Error: The path {from} does not exist',
  renameExists: 'Error: The destination {to} already exists',
  renameIntoItself: 'Error: Cannot rename {from} to {to}: a directory cannot be moved into itself.',
  copied: 'Successfully copied {from} to {to}',
  copyRoot: 'Error: Cannot copy to the root path.',
  copyMissing: 'Error: The path {from} does not exist.',
  copyExists: 'Error: The destination {to} already exists. Set overwrite to true to replace.',
  copyDirectory: 'Error: The path {from} is a directory, not a file.',
  destinationDirectory: 'Error: The destination {to} is a directory.',

  failed: 'Error: {message}',
} as const;

/** Wording specific to each tool. */
export interface ToolTexts {
  /** Heading of a listing. */
  readonly directory: string;
  readonly unknownCommand: string;
  /** Heading of the snippet after a replacement. */
  readonly replaced: string;
  readonly replaceDirectory: string;
  readonly editBinary: string;
  readonly tooManyLines: string;
  readonly deleteRoot: string;
}

/** Optional rules: a tool has a rule only if it has wording for it. */
export interface RuleTexts {
  /** Heading of a file shown without line numbers. */
  readonly fileWithoutNumbers?: string;
  /** Refuses a path that leaves the root. Without this rule, nothing is above the root: `/..` is `/`. */
  readonly outside?: string;
  /** Refuses to create names that listings leave out. */
  readonly hidden?: string;
  /** Creates a binary file from a data URL, and reports it. */
  readonly binaryCreated?: string;
  /** Refuses an invalid data URL. */
  readonly invalidDataUrl?: string;
  /** The following four refuse changes to the read-only directory. */
  readonly writeReadOnly?: string;
  readonly deleteReadOnly?: string;
  readonly moveFromReadOnly?: string;
  readonly moveToReadOnly?: string;
}

/** Name of a shared text. */
export type CommonTextName = keyof typeof commonTexts;

/** The complete wording of a file tool. */
export type Texts = { readonly [Name in CommonTextName]: string } & ToolTexts & RuleTexts;

/** Replacements for the names in braces. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Replaces the names in braces. Replacements are inserted literally. */
export function fill(template: string, values: TextValues = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (name: string, key: string) => String(values[key] ?? name));
}
