// The page that a sign-in comes back to: gives its address to the tab that began it, and says how it went.
import { signInChannel } from './data/mcp-servers/sign-in-channel.ts';
import type { CameBack, SignInOutcome } from './data/mcp-servers/sign-in-channel.ts';

const address = typeof history.state === 'string' ? history.state : location.href; // the former if it is loaded again
const state = new URL(address).searchParams.get('state') ?? '';
history.replaceState(address, '', location.pathname); // what is in the address counts once, and is nobody else's

const channel = new BroadcastChannel(signInChannel);
channel.addEventListener('message', ({ data }: MessageEvent<SignInOutcome | CameBack>) => {
  const place = document.getElementById('outcome');
  if (place === null || !('finished' in data) || data.finished !== state) return;
  clearInterval(telling);
  place.textContent = data.text;
});
let left = 100; // half a minute: after that, no tab is waiting for it
const tell = (): void => {
  if (left-- === 0) return clearInterval(telling);
  channel.postMessage({ state, address } satisfies CameBack);
};
const telling = setInterval(tell, 300); // Chromium can lose the first message of a new tab; the app finishes it once
tell();
