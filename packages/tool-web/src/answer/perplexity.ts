import { UtensilError } from '@utensil/core';
import type { AnswerProvider } from '../answer-provider.ts';
import { ask } from '../ask.ts';
import { decodeText } from '../charset.ts';
import { httpError } from '../http-error.ts';
import { listAt, textAt } from '../search/ask-json.ts';

const url = 'https://api.perplexity.ai/chat/completions';

/** An answer is written while it comes, which takes longer than a search. */
const limits = { timeoutMs: 60_000, maxBytes: 2_000_000 };

/** Perplexity. Its API: https://docs.perplexity.ai/docs/sonar/overview */
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
    if (text === '') throw new UtensilError('fetch_failed', `${new URL(url).host} sent no answer.`);
    return { text, sources: sourcesIn(events) };
  },
};

/** The JSON of a stream of events, or the one that came instead of a stream. */
function eventsIn(body: string): readonly unknown[] {
  const texts = body.trimStart().startsWith('{')
    ? [body]
    : body.split(/\r\n?|\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      return []; // the mark of the end, or a line that is cut
    }
  });
}

/** The pieces in their order; else the whole, where no pieces came. */
function textIn(events: readonly unknown[]): string {
  const choices = events.flatMap((event) => listAt(event, 'choices').slice(0, 1));
  const pieces = choices.map((choice) => textAt(choice, 'delta', 'content')).join('');
  return pieces === ''
    ? (choices.map((choice) => textAt(choice, 'message', 'content')).findLast(Boolean) ?? '')
    : pieces;
}

/** Those of the last event that has some: pages with titles, or their addresses alone. */
function sourcesIn(events: readonly unknown[]) {
  const pages = events.map((event) => listAt(event, 'search_results')).findLast(isFilled) ?? [];
  if (pages.length > 0) return pages.map((page) => ({ url: textAt(page, 'url'), title: textAt(page, 'title') }));
  const addresses = events.map((event) => listAt(event, 'citations')).findLast(isFilled) ?? [];
  return addresses.map((address) => ({ url: typeof address === 'string' ? address : '' }));
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}
