import type { Principal } from '@utensil/core';
import type { ClientId } from './client-id.ts';
import type { DpopKey } from './dpop.ts';
import type { RecordName, SignInRecords } from './records.ts';
import type { IssuerMetadata } from './sdk.ts';

/** Record of a user at a server, without tokens. */
export interface Account {
  /** Issuer of the tokens. Absent if nobody is signed in. */
  readonly issuer?: string;
  /** Address of the server's metadata, from the server. */
  readonly resourceMetadataUrl?: string;
  /** Scopes requested by the server. */
  readonly wanted?: readonly string[];
  /** True if the server has rejected tokens that are not bound to a key. */
  readonly needsDpop?: boolean;
  /** A pending sign-in. */
  readonly begun?: { readonly url: string; readonly state: string; readonly expiresAt: number } & SignInRequest;
}

/** The authorization request. */
export interface SignInRequest {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** The parts of an issuer that its tokens need. */
export type TokenIssuer = Pick<
  IssuerMetadata,
  | 'issuer'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'response_types_supported'
  | 'token_endpoint_auth_methods_supported'
> & { readonly revocation_endpoint?: string; readonly authorization_response_iss_parameter_supported?: boolean };

/** Owner of tokens, and the client that renews them. */
export interface Grant {
  readonly metadata: TokenIssuer;
  readonly client: ClientId;
  /** Resource identifier of the server. */
  readonly resource: string;
  readonly dpopKey?: DpopKey;
}

/** Tokens of a user, for a server, from an issuer. */
export interface Tokens extends Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly expiresAt?: number;
}

/** A pending sign-in. */
export interface Begun extends Grant {
  readonly serverUrl: string;
  readonly codeVerifier: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** One user at one server. */
export interface AccountStore {
  readonly principal: Principal | undefined;
  /** Address of the server. */
  readonly url: string;
  read(): Promise<Account>;
  write(account: Account): Promise<void>;
  /** Tokens of the account's issuer. */
  tokens(): Promise<Tokens | undefined>;
  /** Stores tokens, and sets the account's issuer. */
  save(tokens: Tokens): Promise<void>;
  /** Removes the tokens of the account's issuer. */
  forget(): Promise<void>;
  exclusively<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Called for each account that changes in this process. */
export type AccountChanged = (url: string, principal: Principal | undefined) => void;

export function accountStore(
  { records, changed }: { readonly records: SignInRecords; readonly changed: AccountChanged },
  { url, principal }: { readonly url: string; readonly principal: Principal | undefined },
): AccountStore {
  const name: RecordName = { kind: 'account', principal, of: [url] };
  const tokensOf = (issuer: string): RecordName => ({ kind: 'tokens', principal, of: [issuer, url] });

  async function read(): Promise<Account> {
    return (await records.read<Account>(name)) ?? {};
  }

  async function write(account: Account): Promise<void> {
    await records.write(name, account);
  }

  return {
    principal,
    url,
    read,
    write,
    async tokens() {
      const { issuer } = await read();
      return issuer === undefined ? undefined : records.read<Tokens>(tokensOf(issuer));
    },
    async save(tokens) {
      const { begun, wanted, ...account } = await read();
      const { issuer } = tokens.metadata;
      if (account.issuer !== undefined && account.issuer !== issuer)
        await records.write(tokensOf(account.issuer), undefined);
      await records.write(tokensOf(issuer), tokens);
      const isGranted = wanted?.every((each) => tokens.scopes.includes(each)) ?? true;
      await write({ ...account, issuer, ...(!isGranted && { wanted }), ...(begun && { begun }) });
      changed(url, principal);
    },
    async forget() {
      const { issuer, ...account } = await read();
      if (issuer === undefined) return;
      await records.write(tokensOf(issuer), undefined);
      await write(account);
      changed(url, principal);
    },
    exclusively: (work) => records.exclusively(name, work),
  };
}

/** Key of a pending sign-in. */
export function begunName(state: string, principal: Principal | undefined): RecordName {
  return { kind: 'begun', principal, of: [state] };
}
