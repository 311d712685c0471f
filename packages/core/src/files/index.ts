// Working with files: search, globs, bundles, mounts, paths, taint. `createFiles` is in the root.

export { sha256Hex } from '../base/hash.ts';
export { hasBatch } from './batching.ts';
export type { BatchFiles } from './batching.ts';
export { effectAt } from './instructions.ts';
export { mediaTypeOf } from './media-type.ts';
export { exportFiles } from './bundle/export-files.ts';
export type { ExportOptions } from './bundle/export-files.ts';
export { findFiles } from './search/find-files.ts';
export type { FileSelection, FindOptions } from './search/find-files.ts';
export { matchGlob } from './glob/glob.ts';
export type { GlobOptions } from './glob/glob.ts';
export { importFiles } from './bundle/import-files.ts';
export type { ImportOptions, ImportResult } from './bundle/import-files.ts';
export { mountFiles } from './mount/mount.ts';
export { readOnly } from './read-only.ts';
export { searchFiles } from './search/search-files.ts';
export type { SearchHit, SearchOptions, SearchResult, SearchSkip } from './search/search-files.ts';
export type { TextHit } from './search/search-text.ts';
export { subtree } from './subtree.ts';
export { hasTaint, outsideContent, seenBy } from './taint/observer.ts';
export type { FilesObserver } from './taint/observer.ts';
export { decodeText } from '../base/text-encoding.ts';
export type { DecodedText, TextFormat } from '../base/text-encoding.ts';
export { fileError } from './file-error.ts';
export type { FileErrorCode, FileErrorDetails } from './file-error.ts';
export { ancestorsOf, foldCase, isWithin, joinPath, nameOf, parentOf, resolvePath } from './paths.ts';
