import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { question } from '../work.ts';
import { bodyOf, byName, call, definitionsOf, handTools } from './hand.ts';
import type { Variant } from './variant.ts';

/** Plain `fetch` and the Responses API, with the same bodies: no retries, no error handling, no SDK. */
export const http: Variant = (setup) => {
  const defined = handTools(setup);
  const tools = byName(defined);
  const definitions = definitionsOf(defined);
  return {
    async run(_, baseUrl) {
      const input: ResponseInputItem[] = [{ role: 'user', content: question }];
      for (;;) {
        let text = '';
        const results: ResponseInputItem[] = [];
        for await (const event of post(`${baseUrl}/responses`, bodyOf(input, definitions))) {
          if (event.type === 'response.output_text.delta') text += event.delta;
          if (event.type !== 'response.output_item.done') continue;
          const { item } = event;
          input.push(item as ResponseInputItem);
          if (item.type !== 'function_call') continue;
          const output = await call(tools, item.name, item.arguments);
          results.push({ type: 'function_call_output', call_id: item.call_id, output });
        }
        if (results.length === 0) return text;
        input.push(...results);
      }
    },
  };
};

async function* post(url: string, body: object): AsyncGenerator<ResponseStreamEvent> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) yield JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as ResponseStreamEvent;
  }
}
