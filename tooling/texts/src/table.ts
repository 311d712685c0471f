// Runs the rows of fixture.json against a tool, on real files in memory.

import { createFiles, createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
import type { Files, Tool } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { numbers, rowsOf, wholeText } from './row.ts';
import type { Content, Row, ToolName } from './row.ts';

export type { Row, ToolName };
export { rowsOf };

/** What came of a row, and what should have. */
export interface Outcome {
  readonly actual: Answer;
  readonly expected: Answer;
}

interface Answer {
  /** What the model sees. */
  readonly text: string;
  readonly isError: boolean;
  readonly after: Readonly<Record<string, string>>;
}

/** Runs a row on files of its own. */
export async function runRow(tool: Tool, row: Row): Promise<Outcome> {
  const files = createFiles(memoryStorage());
  for (const [path, content] of Object.entries(row.files ?? {})) await place(files, path, content);
  const { text, isError } =
    row.call === undefined ? await promptOf(tool, row, files) : await answerOf(tool, row, files);
  const after = Object.entries(row.after ?? {});
  const found = after.map(async ([path]) => [path, await describe(files, path)] as const);
  return {
    actual: { text, isError, after: Object.fromEntries(await Promise.all(found)) },
    expected: {
      text: wholeText(row.expected),
      isError: row.isError ?? false,
      after: Object.fromEntries(after.map(([path, content]) => [path, describeContent(content)])),
    },
  };
}

/** The title of a row, as a test has it. */
export function titleOf({ id, tool, literal, title }: Row): string {
  return `${id === null ? '' : `[${id}] `}${tool}: ${title} (${literal})`;
}

async function answerOf(tool: Tool, { call = {}, options = {} }: Row, files: Files): Promise<Omit<Answer, 'after'>> {
  const { modelParts, isError } = await runTool(tool, call, { options, host: { files } });
  return { text: modelParts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join(''), isError };
}

async function promptOf(tool: Tool, { options = {} }: Row, files: Files): Promise<Omit<Answer, 'after'>> {
  const on = withEnabled(emptySettings, tool, true);
  const settings = { ...on, tools: { ...on.tools, [tool.name]: { enabled: true, options } } };
  const toolset = resolveToolset(createRegistry([tool]), settings, { files });
  const model = { api: 'openai-responses', id: 'any' };
  const warn = (problem: string): never => {
    throw new Error(problem);
  };
  return { text: (await toolset.prompts({ model, projectId: 'any', warn })).join('\n\n'), isError: false };
}

async function place(files: Files, path: string, content: Content): Promise<void> {
  if (content === false) return;
  if (content === null) await files.makeDirectory(path);
  else if (isEach(content) && path.includes('#')) {
    for (const number of numbers(content))
      await files.write(path.replace('#', number), content.each.replaceAll('#', number));
  } else await files.write(path, isBytes(content) ? bytesOf(content) : wholeText(content));
}

function isEach(content: Content): content is { each: string; from: number; to: number } {
  return typeof content === 'object' && content !== null && 'each' in content;
}

interface Bytes {
  readonly base64: string;
  readonly times?: number;
}

function isBytes(content: Content): content is Bytes {
  return typeof content === 'object' && content !== null && 'base64' in content;
}

function bytesOf({ base64, times = 1 }: Bytes): Uint8Array {
  return Uint8Array.from(Buffer.from(base64.repeat(times), 'base64'));
}

async function describe(files: Files, path: string): Promise<string> {
  const stat = await files.stat(path);
  if (stat === undefined) return 'nothing';
  if (stat.kind === 'directory') return 'a directory';
  return describeBytes((await files.read(path)).bytes);
}

function describeContent(content: Content): string {
  if (content === false) return 'nothing';
  if (content === null) return 'a directory';
  return describeBytes(isBytes(content) ? bytesOf(content) : new TextEncoder().encode(wholeText(content)));
}

function describeBytes(bytes: Uint8Array): string {
  return `a file: ${Buffer.from(bytes).toString('latin1')}`;
}
