/** What a person does about a failure of a run, where this app knows better than the words of the failure. */
const advice: Readonly<Record<string, string>> = {
  model_unauthorized:
    'The service does not accept your key. Enter another one on the page “Models”, or see with the service what this one may be used for; then continue.',
  model_not_found: 'The service has no such model. Choose another one on the page “Models”, then continue.',
  model_unreachable:
    'The service cannot be reached. See whether you are online, and whether its address on the page “Models” is right; then continue. What was said so far is kept.',
  stream_truncated: 'The service broke off in the middle of its answer. What it said is kept: continue, or ask anew.',
  ENOSPC:
    'There is no more room for this conversation. Remove files or conversations, empty the trash, or let the browser keep more for this site; then try again.',
  EDQUOT:
    'There is no more room for this conversation. Remove files or conversations, empty the trash, or let the browser keep more for this site; then try again.',
};

/** What to do about a failure with this code; undefined where its own words are the best there are. */
export function adviceOn(code: string): string | undefined {
  return Object.hasOwn(advice, code) ? advice[code] : undefined;
}
