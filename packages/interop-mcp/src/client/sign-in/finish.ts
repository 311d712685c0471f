import { UtensilError } from '@utensil/core';
import type { Principal } from '@utensil/core';
import { accountStore, begunName } from './account.ts';
import type { Begun, SignInRequest, Tokens } from './account.ts';
import type { SignInSetup } from './begin.ts';
import { dpopSession } from './dpop.ts';
import { codeOf, signInFailed } from './failures.ts';
import { issuerFetch } from './issuer-fetch.ts';
import { receivedTokens } from './received-tokens.ts';
import { loadSdk } from './sdk.ts';

/** The user who signed in, and the server. */
export interface FinishedSignIn extends SignInRequest {
  /** Address of the server. */
  readonly server: string;
}

/** Finishes a sign-in with the address that the browser returned to. Works once. */
export async function finish(
  callback: string | URL,
  principal: Principal | undefined,
  setup: SignInSetup,
): Promise<FinishedSignIn> {
  const { records, options } = setup;
  const parameters = parametersOf(callback, options.redirectUrl);
  const name = begunName(parameters.state, principal);
  const begun = await records.exclusively(name, async () => {
    const found = await records.read<Begun>(name);
    if (found !== undefined) await records.write(name, undefined);
    return found;
  });
  if (begun === undefined || begun.expiresAt <= setup.now())
    throw signInFailed(
      'No sign-in of this user waits for this answer: it was used or too late, or somebody else has begun it.',
    );
  const account = accountStore(setup, { url: begun.serverUrl, principal });
  const tokens = await redeem(parameters, begun, setup);
  await account.exclusively(async () => {
    await account.save(tokens);
    const { begun: waiting, ...rest } = await account.read();
    if (waiting?.state === parameters.state) await account.write(rest);
  });
  return { server: begun.serverUrl, issuer: begun.metadata.issuer, scopes: tokens.scopes };
}

/** Parameters from the browser. */
interface Returned {
  readonly state: string;
  readonly code: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

function parametersOf(callback: string | URL, redirectUrl: string): Returned {
  const ours = new URL(redirectUrl);
  const url = URL.canParse(String(callback)) ? new URL(String(callback)) : undefined;
  if (url === undefined || url.origin !== ours.origin || url.pathname !== ours.pathname)
    throw new UtensilError(
      'invalid_input',
      `\`finish\` needs the whole address that the browser came back to, at ${ours.origin}${ours.pathname}.`,
    );
  const once = (name: string): string | undefined => {
    const [first, ...more] = url.searchParams.getAll(name);
    if (more.length > 0)
      throw signInFailed(`The address that the browser came back to has two parameters \`${name}\`.`);
    return first;
  };
  return { state: once('state') ?? '', code: once('code'), iss: once('iss'), error: once('error') };
}

async function redeem({ code, iss, error }: Returned, begun: Begun, { options, now }: SignInSetup): Promise<Tokens> {
  const sdk = await loadSdk();
  const { metadata, client, codeVerifier, resource, scopes, serverUrl, dpopKey } = begun;
  const guarded = issuerFetch(serverUrl, options.fetch);
  const checked = { iss, expectedIssuer: metadata.issuer };
  const isToBeNamed = metadata.authorization_response_iss_parameter_supported === true;
  try {
    sdk.validateAuthorizationResponseIssuer({ ...checked, issParameterSupported: isToBeNamed });
  } catch {
    throw signInFailed('The answer came from another issuer than the one that was asked. Nothing was sent to it.');
  }
  if (code === undefined) {
    const known = codeOf(error);
    throw signInFailed(`The user was not signed in${known === undefined ? '' : ` (${known})`}.`);
  }
  const exchanging = sdk.exchangeAuthorization(metadata.issuer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier,
    redirectUri: options.redirectUrl,
    resource,
    fetchFn: guarded.fetch,
    ...(iss !== undefined && { iss }),
    ...(dpopKey && { dpop: await dpopSession(sdk, dpopKey) }),
  });
  const answer = await exchanging.catch((problem: unknown) => {
    const known = codeOf(problem);
    throw guarded.problem() ?? signInFailed(`The issuer gave no token${known === undefined ? '' : ` (${known})`}.`);
  });
  const { metadata: _, codeVerifier: __, serverUrl: ___, scopes: ____, expiresAt: _____, ...rest } = begun;
  return receivedTokens(answer, { ...rest, metadata }, { asked: scopes, now: now() });
}
