import { commonTexts } from '@utensil/core/file-commands';
import type { Texts } from '@utensil/core/file-commands';

/** Texts of the filesystem tool. */
export const filesystemTexts: Texts = {
  ...commonTexts,
  unknownCommand: 'Unknown filesystem command: {command}',
  directory: "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:",
  fileWithoutNumbers: "Here's the content of {path}:",
  tooManyLines: 'File {path} exceeds maximum line limit of 999999 lines.',
  replaced: 'The file has been edited.',
  replaceDirectory: 'Error: The path {path} is a directory, not a file.',
  editBinary: 'Error: Cannot use {command} on binary file {path}. Use create command with dataUrl to overwrite.',
  deleteRoot: 'Error: Cannot delete root directory.',
  binaryCreated: 'Binary file created successfully at: {path}',
  invalidDataUrl: 'Error: The data URL for {path} is not valid base64.',
  writeReadOnly: 'Error: Cannot write to readonly path {path}. The /memories directory is managed by the memory tool.',
  deleteReadOnly: 'Error: Cannot delete readonly path {path}. The /memories directory is managed by the memory tool.',
  moveFromReadOnly:
    'Error: Cannot move from readonly path {from}. The /memories directory is managed by the memory tool.',
  moveToReadOnly: 'Error: Cannot move to readonly path {to}. The /memories directory is managed by the memory tool.',
};
