import { guardedFetch } from '@utensil/guarded-fetch';
import { currentTexts } from '../texts/texts.ts';

/**
 * The `fetch` of tools: public addresses over https only. The page's own policy must allow the user's model server,
 * which may use plain http, so this fetch belongs to an empty frame with a stricter policy. The browser enforces it at
 * every redirect, which pages cannot observe.
 */
export const toolFetch = guardedFetch({ fetch: strictFetch() });

/** `fetch` of the empty frame; a new frame is created if it was removed or navigated. */
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
    isAsItWas: () => frame.isConnected && frame.contentDocument === inside, // a removed frame cannot fetch, and another document has no policy
  };
}
