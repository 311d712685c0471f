// Sign-in of users to MCP servers, by OAuth 2.1.
export { createSignIn } from './sign-in.ts';
export type { ServerSignIn, SignedIn, SignIn } from './sign-in.ts';
export type { BegunSignIn } from './begin.ts';
export type { FinishedSignIn } from './finish.ts';
export type { SignInConnection } from './connection.ts';
export type { SignInRequest } from './account.ts';
export { clientMetadata } from './options.ts';
export type { RegisteredClient, SignInOptions, WebFetch, WritableSecrets } from './options.ts';
export { signInTool } from './sign-in-tool.ts';
export type { AuthorizePreview, SignInToolOptions } from './sign-in-tool.ts';
