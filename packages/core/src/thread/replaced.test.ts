import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createRecords } from '../records/records.ts';
import { answerQuestion } from './answer-question.ts';
import { cancelDetached } from './detached-calls.ts';
import { openThread } from './open-thread.ts';
import { deleteThread } from './summary.ts';
import type { ThreadEntry } from './entry.ts';

const toolName = { name: 'build', input: {}, title: 'Build' } as const;
const entries: readonly ThreadEntry[] = [
  { type: 'message', message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 } },
  {
    type: 'message',
    message: {
      id: 'a',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: '1', executedBy: 'us', ...toolName }],
      createdAt: 2,
      runId: 'r',
    },
  },
];
const question: ThreadEntry = {
  type: 'question',
  id: 'q',
  kind: 'approval',
  callId: '1',
  effects: 'write',
  runId: 'r',
  projectId: 'p',
  time: 3,
  ...toolName,
};
const receipt: ThreadEntry = {
  type: 'message',
  message: {
    id: 't',
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: '1',
        name: 'build',
        output: '',
        modelParts: [],
        isError: false,
        detached: 'handle',
      },
    ],
    createdAt: 4,
  },
};
const news = (id: string): ThreadEntry => ({
  type: 'message',
  message: { id, role: 'user', parts: [{ type: 'text', text: id }], createdAt: 5 },
});

/** A program that knows a thread, of which another one has then restored the beginning. */
async function replaced(beginning: readonly ThreadEntry[]) {
  const storage = memoryStorage();
  const known = openThread(createRecords(storage), 't');
  await known.append([...beginning, news('one')]);
  await known.append([news('two')]);
  const records = createRecords(storage);
  await deleteThread(records, 't');
  await openThread(records, 't').append(beginning);
  return known;
}

it('an answer to a thread that was replaced by its own beginning was tried again and again', async () => {
  const thread = await replaced([...entries, question]);
  const answered = answerQuestion(thread, { questionId: 'q', answer: 'deny' });
  await expect(answered).rejects.toMatchObject({ code: 'thread_deleted' });
});

it('so was the cancellation of a call in its background', async () => {
  const cancelled = cancelDetached(await replaced([...entries, receipt]), { callId: '1' });
  await expect(cancelled).rejects.toMatchObject({ code: 'thread_deleted' });
});

it('an entry was stored behind a gap in a thread that was replaced by its own beginning', async () => {
  const thread = await replaced(entries);
  await expect(thread.append([news('three')])).rejects.toMatchObject({ code: 'thread_deleted' });
});
