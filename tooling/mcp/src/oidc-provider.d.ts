// As much of `oidc-provider` as the tests use; it has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    readonly prompt: { readonly name: string; readonly details: object };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
    destroy(): Promise<void>;
  }

  interface AccessToken {
    readonly accountId?: string;
    readonly aud?: string | readonly string[];
    readonly exp?: number;
    readonly scope?: string;
    readonly jkt?: string;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: {
      new (ids: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly AccessToken: { find(token: string): Promise<AccessToken | undefined> };
    readonly RefreshToken: { find(token: string): Promise<{ destroy(): Promise<void> } | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      ...given: [
        request: IncomingMessage,
        response: ServerResponse,
        result: object,
        options?: { readonly mergeWithLastSubmission?: boolean },
      ]
    ): Promise<void>;
  }
}
