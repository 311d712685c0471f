export { memoryState, memoryStorage } from './memory.ts';
export type { MemoryState, MemoryStorageOptions } from './memory.ts';
