// What sign-in takes of the SDK, so that bundlers leave out the rest.
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
