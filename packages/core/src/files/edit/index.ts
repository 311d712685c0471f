export { applyChanges, invertChanges } from './changes.ts';
export type { TextChange } from './changes.ts';
export { editText } from './edit-text.ts';
export { editBytes, editFile } from './edit-file.ts';
export type { EditableFiles, EditedBytes, EditedFile, FileEdit } from './edit-file.ts';
export { readBlocks } from './blocks.ts';
export type { LineRange } from './line-breaks.ts';
export type { EditedPlace, EditedText, MatchStage, Replacement } from './replacement.ts';
export { tellEdit } from './tell-edit.ts';
