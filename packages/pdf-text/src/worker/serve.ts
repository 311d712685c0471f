import type { FromWorker, ToWorker, WorkerFailure } from '../protocol.ts';
import { limitAllocation } from './allocation.ts';

/** Reads a PDF and posts each page as soon as it is read. Never rejects. */
export async function serve({ bytes, limits }: ToWorker, post: (message: FromWorker) => void): Promise<void> {
  const allocation = limitAllocation(limits.unpackedBytes);
  try {
    const { openPages } = await import('./pages.ts'); // after the limit: the parser captures the constructors when it loads
    allocation.start();
    const pages = await openPages(bytes);
    post({ type: 'opened', pages: pages.count });
    let characters = 0;
    for (let number = 1; number <= Math.min(pages.count, limits.pages) && characters < limits.characters; number++) {
      const text = (await pages.text(number)).slice(0, limits.characters - characters);
      if (allocation.isSpent()) throw new Error('A part of this page was left out.');
      characters += text.length;
      post({ type: 'page', text });
    }
    post({ type: 'end' });
  } catch (error) {
    post({ type: 'failed', reason: allocation.isSpent() ? 'memory' : reasonOf(error) });
  }
}

function reasonOf(error: unknown): WorkerFailure {
  return error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged';
}
