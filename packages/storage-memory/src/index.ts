export { memoryState, memoryStorage } from './memory.ts';
export type { MemoryState, MemoryStorageOptions } from './memory.ts';
export { memorySnapshot, restoreSnapshot } from './snapshot.ts';
export type { MemorySnapshot } from './snapshot.ts';
