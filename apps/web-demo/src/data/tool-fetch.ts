import { guardedFetch } from '@utensil/guarded-fetch';
import { currentTexts } from '../texts/texts.ts';

/**
 * The fetch of tools: of public addresses over https alone. The policy of the page has to let the user's own model server
 * through, which may be plain http, so this fetch belongs to an empty frame with a stricter policy of its own. The browser
 * enforces that one for every station of a redirect, of which a page is told nothing.
 */
export const toolFetch = guardedFetch({ fetch: strictFetch() });

/** Fetch of an empty frame; of another one if somebody has removed it, or made it show something else. */
function strictFetch(): typeof globalThis.fetch {
  let strict = openFrame();
  return async (input, init) => {
    if (!strict.isAsItWas()) strict = openFrame();
    return strict.fetch(input, init);
  };
}

interface StrictFrame {
  readonly fetch: typeof globalThis.fetch;
  isAsItWas(): boolean;
}

function openFrame(): StrictFrame {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const { contentDocument: inside, contentWindow } = frame;
  if (inside === null || contentWindow === null) throw new Error(currentTexts().problems.noFrame);
  const policy = inside.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; connect-src https:";
  inside.head.append(policy);
  return {
    fetch: (contentWindow as Window & typeof globalThis).fetch.bind(contentWindow),
    isAsItWas: () => frame.isConnected && frame.contentDocument === inside, // a removed frame fetches nothing, another document has no policy
  };
}
