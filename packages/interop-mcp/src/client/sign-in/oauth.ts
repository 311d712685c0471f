// The parts of the SDK used by sign-in, so that bundlers drop the rest.
export {
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  DpopSession,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  generateDpopKeyPair,
  isDpopNonceChallenge,
  IssuerMismatchError,
  refreshAuthorization,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
