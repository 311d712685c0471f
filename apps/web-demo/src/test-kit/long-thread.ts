import { join } from 'node:path';
import type { Json, Message, Part, RecordKey } from '@utensil/core';
import type { Page } from 'playwright';
import { build, defaultClientConditions } from 'vite';

const kinds: readonly ((index: number) => Pick<Message, 'role' | 'parts'>)[] = [
  (index) => ({ role: 'user', parts: [{ type: 'text', text: `Question ${index}: what is in notes/${index}.md?` }] }),
  (index) => ({ role: 'assistant', parts: [{ type: 'reasoning', text: 'They ask for a note.' }, call(index)] }),
  (index) => ({ role: 'tool', parts: [resultOf(index - 1)] }),
  (index) => ({
    role: 'assistant',
    parts: [
      {
        type: 'text',
        text: `# Note ${index}\n\nIt says **milk**, and a list:\n\n- one\n- two with \`code\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\nconst answer = ${index};\n\`\`\`\n`,
      },
    ],
  }),
];

function call(index: number): Part {
  const input = { command: 'view', path: `/notes/${index}.md` };
  return {
    type: 'tool-call',
    callId: `call-${index}`,
    name: 'filesystem',
    input,
    executedBy: 'us',
    title: `Read ${input.path}`,
  };
}

function resultOf(index: number): Part {
  const isError = index % 8 === 1;
  const text = isError ? `There is no /notes/${index}.md.` : 'milk\nbread\n'.repeat(1 + (index % 30));
  return {
    type: 'tool-result',
    callId: `call-${index}`,
    name: 'filesystem',
    output: text,
    modelParts: [{ type: 'text', text }],
    isError,
  };
}

/** A conversation of questions, calls, results, failures and answers in turn. */
export function mixedMessages(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, index) => {
    const make = kinds[index % kinds.length] ?? (() => ({ role: 'user' as const, parts: [] }));
    return { id: `m${index}`, createdAt: 1_700_000_000_000 + index * 1000, ...make(index) };
  });
}

let script: Promise<string> | undefined;

/** Has the browser of a page store a conversation, as if it had been led there. */
export async function seedThread(page: Page, id: string, messages: readonly Message[]): Promise<void> {
  script ??= bundled();
  await page.evaluate(await script);
  await page.evaluate(`seedThread(${JSON.stringify(id)}, ${JSON.stringify(messages)})`);
}

/** Has the browser of a page store a record of the app. */
export async function seedRecord(page: Page, key: RecordKey, value: Json): Promise<void> {
  script ??= bundled();
  await page.evaluate(await script);
  await page.evaluate(`seedRecord(${JSON.stringify(key)}, ${JSON.stringify(value)})`);
}

async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@utensil/source', ...defaultClientConditions] },
    build: { write: false, lib: { entry: join(import.meta.dirname, 'seed.ts'), formats: ['iife'], name: 'seed' } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('The script was not built.');
  return chunk.code;
}
