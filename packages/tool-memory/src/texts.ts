import { commonTexts } from '@utensil/core/file-commands';
import type { Texts } from '@utensil/core/file-commands';

/** Texts of the memory tool. */
export const memoryTexts: Texts = {
  ...commonTexts,
  unknownCommand: 'Unknown memory command: {command}',
  directory:
    "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and node_modules:",
  tooManyLines: 'File {path} exceeds maximum line limit of 999,999 lines.',
  replaced: 'The memory file has been edited.',
  replaceDirectory: 'Error: The path {path} does not exist. Please provide a valid path.',
  editBinary: 'Error: Cannot use {command} on binary file {path}.',
  deleteRoot: 'Error: The path {path} does not exist',
  outside: 'Error: {path} is not a path in /memories. Use one like /memories/notes.md',
  hidden:
    'Error: Cannot make {path}: listings leave out node_modules and names that begin with a dot. Use a name without the dot.',
};

/** Texts of the prompt. */
export const promptTexts = {
  heading: '## Memory',
  usage:
    'You have a memory that outlasts this conversation: files in /memories, which you reach with the memory tool. Before you begin, look through them and read those relevant to the task. Write down everything useful for later: decisions, preferences, the state of the work, lessons learnt. Keep it in order: correct what is wrong, delete what is outdated, and rename rather than repeat. Nothing but these files is remembered.',
  files: '### Files',
  listing: '<listing>\n{listing}\n</listing>',
  listingTruncated: '[Listing truncated: showing {shown} of {total} entries. View a directory to see more.]',
  empty: 'The /memories directory is empty.',
  readme: '## /memories/README.md',
  content: '<content>\n{content}\n</content>',
  contentTruncated:
    "[Content truncated: showing lines 1-{last} of {total} total. Use the memory tool's view command with view_range to see more.]",
};
