import type { Sdk } from './sdk.ts';

/** Key that tokens are bound to (RFC 9449), as stored among the secrets. */
export interface DpopKey {
  readonly publicJwk: JsonWebKey;
  readonly privateJwk: JsonWebKey;
  readonly thumbprint: string;
}

/** Signs requests, and stores nonces of servers. */
export type DpopSession = Awaited<ReturnType<Sdk['DpopSession']['create']>>;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

export async function newDpopKey(sdk: Sdk): Promise<DpopKey> {
  const { privateKey, publicJwk, thumbprint } = await sdk.generateDpopKeyPair({ alg: 'ES256', extractable: true });
  return { publicJwk: publicJwk, privateJwk: await crypto.subtle.exportKey('jwk', privateKey), thumbprint };
}

export async function dpopSession(sdk: Sdk, { publicJwk, privateJwk, thumbprint }: DpopKey): Promise<DpopSession> {
  const keyPair = {
    privateKey: await crypto.subtle.importKey('jwk', privateJwk, algorithm, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
    publicJwk: publicJwk as never, // the SDK's type of the same JSON
    thumbprint,
    alg: 'ES256' as const,
  };
  return sdk.DpopSession.create({ keyPair });
}
