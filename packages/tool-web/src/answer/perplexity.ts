import { UtensilError } from '@utensil/core';
import type { AnswerProvider } from '../answer-provider.ts';
import { ask } from '../ask.ts';
import { decodeText } from '../charset.ts';
import { httpError } from '../http-error.ts';
import { listAt, textAt } from '../search/ask-json.ts';

const url = 'https://api.perplexity.ai/chat/completions';

/** Generating an answer takes longer than a search. */
const limits = { timeoutMs: 60_000, maxBytes: 2_000_000 };

/** Perplexity, https://docs.perplexity.ai/docs/sonar/overview */
export const perplexity: AnswerProvider = {
  id: 'perplexity',
  label: 'Perplexity',
  needs: 'key',
  models: ['sonar', 'sonar-pro'],
  answer: async (messages, { fetch, signal, model, key = '' }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model, messages, stream: true, stream_mode: 'concise' });
    const { response, bytes } = await ask(url, { ...limits, fetch, signal, method: 'POST', headers, body });
    if (!response.ok) throw httpError(response);
    const events = eventsIn(decodeText(bytes, 'text/event-stream; charset=utf-8'));
    const text = textIn(events);
    if (text === '') throw new UtensilError('fetch_failed', `${new URL(url).host} sent an empty answer.`);
    return { text, sources: sourcesIn(events) };
  },
};

/** JSON of a stream of events, or the single JSON sent instead. */
function eventsIn(body: string): readonly unknown[] {
  const texts = body.trimStart().startsWith('{')
    ? [body]
    : body.split(/\r\n?|\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return []; // the end marker, or a truncated line
    }
  });
}

/** The pieces in order; the whole text if there were no pieces. */
function textIn(events: readonly unknown[]): string {
  const choices = events.flatMap((event) => listAt(event, 'choices').slice(0, 1));
  const pieces = choices.map((choice) => textAt(choice, 'delta', 'content')).join('');
  return pieces === ''
    ? (choices.map((choice) => textAt(choice, 'message', 'content')).findLast(Boolean) ?? '')
    : pieces;
}

/** Sources of the last event that has any: pages with titles, or URLs only. */
function sourcesIn(events: readonly unknown[]) {
  const pages = events.map((event) => listAt(event, 'search_results')).findLast(isFilled) ?? [];
  if (pages.length > 0) return pages.map((page) => ({ url: textAt(page, 'url'), title: textAt(page, 'title') }));
  const addresses = events.map((event) => listAt(event, 'citations')).findLast(isFilled) ?? [];
  return addresses.map((address) => ({ url: typeof address === 'string' ? address : '' }));
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}
