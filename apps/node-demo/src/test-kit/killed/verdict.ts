// Verdicts of all vendors on a request, from the official SDKs and local servers that reject the same requests as the vendors.
import type { Message, ModelRequest } from '@utensil/core';
import { openaiChat } from '@utensil/provider-openai';
import { dialects, withTextTools } from '@utensil/text-dialects';
import type { Loopback } from '@utensil/tooling-loopback';
import { lastTurn } from '../continuity/thread.ts';
import { serve, type Vendor, vendors } from '../continuity/vendors.ts';

/** Every vendor, and a model without tools for each way to write calls as text. */
export const hearers: readonly Vendor[] = [
  ...vendors.filter(({ name }) => name !== 'withTextTools'),
  ...Object.keys(dialects).flatMap((dialect) =>
    vendors
      .filter(({ name }) => name === 'withTextTools')
      .map((vendor) => ({
        ...vendor,
        name: `text: ${dialect}`,
        make: (baseURL: string) =>
          withTextTools(openaiChat('gpt-4.1', { apiKey: 'k', baseURL }), dialect as keyof typeof dialects),
      })),
  ),
];

/** Rejections of requests by one vendor, as sentences. */
export async function refusals(vendor: Vendor, requests: readonly ModelRequest[]): Promise<readonly string[]> {
  await using server = await serve(vendor, lastTurn(vendor));
  const said = [];
  for (const request of requests) said.push(...(await refusalOf(vendor, server, request)));
  return said;
}

async function refusalOf(vendor: Vendor, server: Loopback, request: ModelRequest): Promise<readonly string[]> {
  const before = server.requests.length;
  try {
    for await (const part of vendor.make(server.url).stream(request, { signal: new AbortController().signal }))
      if (part.type === 'finish' && server.requests.length > before) return [];
    return [`${vendor.name} gave no answer.`];
  } catch (error) {
    return [`${vendor.name}: ${String(error)} ${JSON.stringify(request.messages.map(shapeOf))}`];
  }
}

/** Each request once, whatever ids and times it has. */
export function distinct(requests: readonly ModelRequest[]): readonly ModelRequest[] {
  return [...new Map(requests.map((request) => [keyOf(request), request])).values()];
}

function keyOf({ messages, tools, ...rest }: ModelRequest): string {
  return JSON.stringify([rest, tools.map(({ name }) => name), messages.map(shapeOf)]);
}

function shapeOf({ role, parts, incomplete }: Message): unknown {
  return [role, incomplete, parts.map((part) => ({ ...part, toolFingerprint: undefined, durationMs: undefined }))];
}
