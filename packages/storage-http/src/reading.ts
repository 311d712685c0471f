import { fileError } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { refuseHidden } from './access.ts';
import type { Access } from './access.ts';
import { entryHeaders, json, refusal } from './answers.ts';
import { readBody, refuseType } from './body.ts';
import { toJsonValue, toKey, toKeys, toQuery, toRange } from './shape.ts';

/** An authorized request. */
export interface Task {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly driver: StorageDriver;
  readonly access: Access;
  readonly namespace: string;
}

/** Handles a request. */
export type AnswerTo = (task: Task) => Promise<Response>;

const maxStatBytes = 8 * 1024 * 1024;

/** Answers `stat`: the entries at some keys. */
export async function answerStat({ request, driver, access }: Task, maxKeys: number): Promise<Response> {
  refuseType(request, 'application/json');
  const keys = toKeys(toJsonValue(await readBody(request, maxStatBytes)), maxKeys);
  refuseHidden(access, keys);
  const entries = await driver.stat(keys);
  return json({ entries: entries.map((entry) => entry ?? null) });
}

/** Answers `list`: a page of a listing, and the start of the next one. */
export async function answerList({ query, driver, access }: Task): Promise<Response> {
  const asked = toQuery(query);
  refuseHidden(access, [asked]);
  const entries = await driver.list(asked);
  const next = entries.length < asked.limit ? undefined : entries.at(-1)?.path;
  return json({ entries, next });
}

/** Answers `read`: a file's content or a range of it. */
export async function answerRead({ request, query, driver, access }: Task): Promise<Response> {
  const key = toKey({ tree: query.get('tree'), path: query.get('path') });
  refuseHidden(access, [key]);
  const range = toRange(request.headers.get('range'));
  const found = await driver.read(key, range);
  if (found === undefined) return refusal(fileError('ENOENT', key.path));
  const { entry, content } = found;
  const headers = {
    ...entryHeaders(entry),
    'accept-ranges': 'bytes',
    'content-disposition': 'attachment',
    'content-type': 'application/octet-stream',
  };
  if (range !== undefined && range.start >= entry.size)
    return new Response(undefined, { status: 416, headers: { ...headers, 'content-range': `bytes */${entry.size}` } });
  return new Response(toBody(content), {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      'content-length': `${content.length}`,
      ...(range === undefined
        ? {}
        : { 'content-range': `bytes ${range.start}-${range.start + content.length - 1}/${entry.size}` }),
    },
  });
}

/** The content as bytes that no other thread can change, as a response body requires. */
function toBody(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = content;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(content);
}
