export { httpStorage } from './http.ts';
export type { HttpStorageOptions } from './connection.ts';
