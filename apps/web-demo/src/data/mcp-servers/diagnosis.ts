import { mcpServerTexts } from '../../texts/mcp-server-texts.ts';
import { currentTexts } from '../../texts/texts.ts';
import { whyUnread } from '../reachability.ts';

const patience = 10_000;

/** Reason that a server cannot be used, with advice. `problem`: the words of the client. */
export async function diagnose(url: string, problem: string): Promise<string> {
  const texts = mcpServerTexts();
  const { lockedProblem } = currentTexts().keys;
  if (problem.includes(lockedProblem)) return lockedProblem;
  if (!navigator.onLine) return texts.offline;
  const { origin, pathname } = new URL(url);
  const place = origin + pathname;
  const status = await ask(url);
  if (status === undefined) return whyUnread({ url, label: texts.server, help: texts.help });
  if (status === 401 || status === 403) return texts.refused(place, `${status}`);
  if (status >= 500) return texts.failing(place, `${status}`);
  if (status >= 300) return texts.noServer(place, `${status}`);
  return /content type|parse|JSON/i.test(problem)
    ? texts.noServer(place, `${status}`)
    : texts.unexpected(brief(problem));
}

/** The status of an answer to a message of the protocol; undefined if there is none that this page may read. */
async function ask(url: string): Promise<number | undefined> {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(ping),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(patience),
    });
    await response.body?.cancel();
    const isMessage = /json|event-stream/.test(response.headers.get('content-type') ?? '');
    return response.ok && !isMessage ? 404 : response.status; // a page, as it is found at many addresses
  } catch {
    return undefined;
  }
}

/** A server may have written it, at any length. */
function brief(problem: string): string {
  return problem.length > 300 ? `${problem.slice(0, 300)}…` : problem;
}
