// For authors of storages: the driver contract, staged commits, reserved names, and the rules and messages that
// backends share.

export { causeWithoutKeys, withoutKeys } from '../../model/scrub.ts';
export { errorCodes } from '../../base/errors.ts';
export { entriesBelow } from '../reading.ts';
export { createListeners } from '../../base/listeners.ts';
export type { Listeners } from '../../base/listeners.ts';
export { changedKeys, directoryEtag } from './driver.ts';
export type {
  ByteRange,
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
  ListedEntry,
  ListQuery,
  StorageDriver,
  StorageTree,
  WatchOptions,
} from './driver.ts';
export { decodeChecked, encodeChecked } from './checked-json.ts';
export { hideRecords } from './hide-records.ts';
export { isReserved, reservedName } from './reserved.ts';
export { createCommitStage } from './stage/stage.ts';
export type { CommitStage, CommitStageOptions } from './stage/stage.ts';
export { comparePaths, isAddressable } from '../paths.ts';
export { logKey, logNumber } from '../record-key.ts';
