/** Texts of a `TypeError` of `fetch`: Node.js, Chromium, Firefox, Safari, React Native, Deno. Some add the host or URL. */
const noResponse =
  /^(?:fetch failed|Failed to fetch|network error|NetworkError when attempting to fetch resource|Load failed|Network request failed|error sending request for url)\.?(?: \(.*)?$/;

/** Codes of sockets and of name resolution, for clients that behave like `fetch` but word their errors themselves. */
const socketCode =
  /^(?:ECONN.*|E(?:NET|HOST)(?:UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EPROTO|UND_ERR_(?:SOCKET|\w+_TIMEOUT))$/;

/**
 * True for an error with which `fetch` reports that there was no response: no connection, or the end of a timeout. False
 * for every other `TypeError`, such as an invalid URL or header, or a bug of the app.
 */
export function isFetchFailure(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name === 'TimeoutError') return true;
  if (thrown.name === 'TypeError' && noResponse.test(thrown.message)) return true;
  return [thrown, thrown.cause].some((error) => socketCode.test(codeOf(error)));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
