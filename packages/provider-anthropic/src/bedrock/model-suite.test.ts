import { Buffer } from 'node:buffer';
import { registerHooks } from 'node:module';
import { crc32 } from 'node:zlib';
import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { type Reply, loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { refuseAnthropicMessages } from '@utensil/tooling-loopback/validators';
import { beforeAll, expect, it } from 'vitest';
import { anthropicBedrock } from './bedrock.ts';

// Vitest gives Node.js the conditions of bundlers, for which AWS has files that Node.js cannot load.
beforeAll(async () => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: context.conditions.filter((each) => each !== 'module') }),
  });
  await import('@anthropic-ai/bedrock-sdk').finally(() => hooks.deregister());
});

const modelId = 'us.anthropic.claude-sonnet-5-5-v1:0';
const path = `/model/${modelId}/invoke-with-response-stream`;

/** A frame of AWS's binary event stream: https://smithy.io/2.0/aws/amazon-eventstream.html */
function frame(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const named = Object.entries(headers).map(([name, value]) => {
    const [key, text] = [Buffer.from(name), Buffer.from(value)];
    return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7, 0, text.length]), text]);
  });
  const [head, body] = [Buffer.concat(named), Buffer.from(payload)];
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(message), 0);
  return new Uint8Array(Buffer.concat([message, end]));
}

const chunkHeaders = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' };

/** Events of the Messages API as Bedrock sends them. */
function inFrames(reply: Reply): Reply {
  if (reply.status !== undefined || !Array.isArray(reply.body)) return reply;
  const frames = reply.body.map((event: string | Uint8Array) => {
    const data = /^data: (.*)$/m.exec(String(event))?.[1] ?? '{}';
    return frame(chunkHeaders, JSON.stringify({ bytes: Buffer.from(data).toString('base64') }));
  });
  return { ...reply, body: frames, headers: { 'content-type': 'application/vnd.amazon.eventstream' } };
}

const backend: ModelBackend = {
  async open(answer, { apiKey }) {
    const server = await loopback((request) => {
      if (decodeURIComponent(request.path) !== path) return { status: 404, body: `No ${request.path} here.` };
      if (!/^AWS4-HMAC-SHA256 Credential=AKIA.*Signature=/.test(request.headers.authorization ?? ''))
        return { status: 403, body: '{}' };
      const { anthropic_version: _, ...body } = request.json() as { readonly anthropic_version: string };
      expect(body).not.toHaveProperty('cache_control'); // which Bedrock does not take
      const refusal = refuseAnthropicMessages({ ...body, model: 'claude-sonnet-5-5', stream: true });
      return refusal ?? inFrames(play(answer(body), anthropicWire));
    });
    const keys = { awsAccessKey: 'AKIAEXAMPLE', awsSecretKey: apiKey, awsRegion: 'us-east-1' };
    const model = anthropicBedrock(modelId, { ...keys, baseURL: server.url });
    return { model, connections: server.connections, close: server.close };
  },
  toolNames: (request) => (request as { tools?: readonly { name: string }[] }).tools?.map(({ name }) => name) ?? [],
};

modelSuite({ test: it }, () => backend, {
  skip: { 'reports that a filter ended the turn': 'The API has one reason for all of them, which is a refusal.' },
});
