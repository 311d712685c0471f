import { connectionTexts } from '../texts/connection-texts.ts';
import { isLoopbackHost, isPrivateHost } from './private-host.ts';

/** Facts about a server that could not be read. */
export interface Unread {
  /** The requested address. */
  readonly url: string;
  /** Display name of the server, such as “Ollama”. */
  readonly label: string;
  readonly help: ServerHelp;
}

/** Advice for an unusable server, in whole sentences. */
export interface ServerHelp {
  /** The server runs, but does not allow pages of this origin. */
  allow(origin: string): string;
  /** No answer, on this machine. */
  readonly startHere: string;
  /** No answer, on another machine. */
  readonly startThere: string;
  /** Another program answers. */
  readonly find: string;
}

const patience = 10_000;

/**
 * Diagnoses a failed request, with advice. A page only learns “Failed to fetch”, so this sends another request in the
 * one mode that needs no permission to read: without key, cookies and referrer.
 */
export async function whyUnread(server: Unread, signal?: AbortSignal): Promise<string> {
  const url = new URL(server.url);
  const place = url.origin;
  const { origin, protocol } = location;
  const { connection: texts } = connectionTexts();
  if (protocol === 'https:' && url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    return texts.mixedContent(place);
  }
  const { hasAnswered, isBlockedByPolicy } = await probe(url, signal);
  if (isBlockedByPolicy) {
    return texts.policy(place);
  }
  if (hasAnswered) {
    return texts.cors(server.label, place, server.help.allow(origin));
  }
  if (isPrivateHost(url.hostname) && (await isLocalNetworkDenied())) {
    return texts.localNetwork(origin);
  }
  const { startHere, startThere } = server.help;
  return texts.noAnswer(place, isLoopbackHost(url.hostname) ? startHere : startThere);
}

async function probe(
  url: URL,
  signal: AbortSignal | undefined,
): Promise<{ readonly hasAnswered: boolean; readonly isBlockedByPolicy: boolean }> {
  let isBlockedByPolicy = false;
  const note = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
    if (URL.canParse(blockedURI) && new URL(blockedURI).origin === url.origin) isBlockedByPolicy = true;
  };
  document.addEventListener('securitypolicyviolation', note);
  const timeout = AbortSignal.timeout(patience);
  const hasAnswered = await fetch(url, {
    mode: 'no-cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).then(
    () => true,
    () => false,
  );
  if (!hasAnswered) await new Promise((resolve) => setTimeout(resolve)); // the event may follow the failure
  document.removeEventListener('securitypolicyviolation', note);
  return { hasAnswered, isBlockedByPolicy };
}

/**
 * Chromium asks the user before an internet page may reach their network; other browsers do not know these names. A
 * question that was dismissed, or that could not be asked, denies the request and leaves the state at `prompt`.
 */
async function isLocalNetworkDenied(): Promise<boolean> {
  const names = ['local-network', 'loopback-network', 'local-network-access'];
  const states = await Promise.all(
    names.map((name) =>
      navigator.permissions.query({ name: name as PermissionName }).then(
        ({ state }) => state,
        () => 'unknown',
      ),
    ),
  );
  if (states.includes('denied')) return true;
  return !isPrivateHost(location.hostname) && states.includes('prompt') && !states.includes('granted');
}
