export { bearerTokens } from './access.ts';
export type { Access, Authorize, BearerToken } from './access.ts';
export { serveStorage } from './serve.ts';
export type { ServeOptions, StorageOf } from './serve.ts';
