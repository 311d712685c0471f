// A provider for an API that is made up here: POST /chat is answered with lines of JSON.

import { type FinishReason, type Message, type Model, callsOf, noUsage, textOf } from '@utensil/core';
import * as provider from '@utensil/core/provider';

export function acme(id: string, { baseURL = 'https://api.acme.example', apiKey = '' } = {}): Model {
  const toTurns = provider.memoize(turnsOf); // maps each message once, however long the thread becomes
  const words = { key: 'the option `apiKey`', address: 'the option `baseURL`' };
  return provider.modelOver<string>({
    info: { api: 'acme', id },
    words,
    apiKey,
    classifyError: provider.fetchErrorClassifier([{ says: /too many pages/, means: provider.modelFailures.tooLong }]),
    async open({ system, messages, tools, toolChoice, parallel, maxOutputTokens, providerOptions }, { signal }) {
      if (apiKey === '') throw provider.modelError(provider.modelFailures.missingKey, { modelId: id, words });
      const choice = typeof toolChoice === 'string' ? toolChoice : provider.wireName(toolChoice.tool);
      const told = tools.flatMap((tool) => {
        if (tool.type === 'native') return [];
        const { name, inputSchema: schema } = tool; // a single object: modelOver merges unions
        return [{ name: provider.wireName(name), description: provider.withExamples(tool), schema }];
      });
      const turns = messages.flatMap(toTurns);
      const own = { id, system, turns, tools: told, choice, parallel, limit: maxOutputTokens };
      const body = provider.wellFormed({ ...own, ...providerOptions });
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const response = await fetch(`${baseURL}/chat`, { method: 'POST', headers, body: JSON.stringify(body), signal });
      if (!response.ok) throw await provider.responseError(response);
      return provider.linesOf(response.body);
    },
    reader({ tools }) {
      let progress: 'none' | 'begun' | 'whole' = 'none';
      return {
        progress: () => progress,
        end: () => [],
        read(line) {
          const { text, call, error, end } = JSON.parse(line) as Line;
          if (error !== undefined) throw provider.reportedError({ status: 500, said: error });
          progress = end === undefined ? 'begun' : 'whole';
          if (text !== undefined) return [{ type: 'text-delta', text }];
          if (call !== undefined)
            return provider.wholeCall(call.id, provider.fromWireName(call.name, tools), call.input);
          if (end === undefined) return []; // a line in the API's format
          const usage = { ...noUsage, inputTokens: end.read, outputTokens: end.written };
          return [{ type: 'finish', reason: end.reason, usage }];
        },
      };
    },
  });
}

interface Line {
  readonly text?: string;
  readonly call?: { readonly id: string; readonly name: string; readonly input: string };
  readonly error?: string;
  readonly end?: { readonly reason: FinishReason; readonly read: number; readonly written: number };
}

function turnsOf(message: Message): readonly object[] {
  const { role, parts } = message;
  if (role === 'user') return [{ role, text: parts.filter(provider.isContent).map(provider.toWords).join('\n') }];
  if (role === 'tool') {
    const results = parts.filter((part) => part.type === 'tool-result');
    return results.map(({ callId, modelParts, isError }) => ({
      role,
      id: callId,
      failed: isError,
      text: modelParts.map(provider.toWords).join('\n'),
    }));
  }
  const calls = callsOf(message).map((call) => {
    const input = JSON.stringify(provider.wellFormed(call.input)); // JSON in JSON: the body's repair does not see into it
    return { id: call.callId, name: provider.wireName(provider.calledName(call)), input };
  });
  return [{ role, text: textOf(parts), calls }];
}
