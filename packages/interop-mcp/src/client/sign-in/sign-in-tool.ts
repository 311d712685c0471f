import { defineTool, jsonSchema } from '@utensil/core';
import type { Tool } from '@utensil/core';
import type { SignIn } from './sign-in.ts';

/** Options of {@link signInTool}. */
export interface SignInToolOptions {
  readonly name: string;
  /** Display name of the server. */
  readonly title: string;
  /** Address of the server. */
  readonly url: string;
  readonly signIn: SignIn;
}

/** Preview of a call that asks a user to sign in. */
export interface AuthorizePreview {
  readonly type: 'authorize';
  /** The issuer's page for the user to open. */
  readonly url: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A tool with which a model asks the user to sign in to a server. It has no `execute`: its question, of kind `input`,
 * has an {@link AuthorizePreview} and waits in the thread like any other. Answer it with `{ output: { signedIn: true }
 * }` once `finish` was called for the run's principal.
 *
 * @example
 * ```ts no-run
 * import { createSignIn, signInTool } from '@utensil/interop-mcp/sign-in';
 *
 * const secrets = { get: async () => undefined, set: async () => undefined };
 * const signIn = createSignIn({ secrets, redirectUrl: 'http://127.0.0.1:3210/signed-in', clientName: 'Notes' });
 * const tool = signInTool({ name: 'tasks__sign_in', title: 'Tasks', url: 'https://mcp.example/mcp', signIn });
 * ```
 */
export function signInTool({ name, title, url, signIn }: SignInToolOptions): Tool {
  return defineTool({
    name,
    title: `Sign in to ${title}`,
    description: `Asks the user to sign in to ${title}. Call it if a tool of ${title} says that the user has to sign in, then call that tool again.`,
    input: jsonSchema({ type: 'object', properties: {} }),
    output: jsonSchema({ type: 'object', properties: { signedIn: { type: 'boolean' } }, required: ['signedIn'] }),
    effects: 'write',
    async preview(_input, _options, { principal }): Promise<AuthorizePreview> {
      const server = signIn.server(url, principal && { principal });
      return { type: 'authorize', ...(await server.begin()) };
    },
  });
}
