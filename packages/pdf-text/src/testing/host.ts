// A program that reads a PDF which takes for ever, and says which process does so, once that is at work.

import child_process from 'node:child_process';
import { readPdf } from '../read-pdf.ts';
import { contentsOf, endless } from './bombs.ts';

const { fork } = child_process;
child_process.fork = ((...values: Parameters<typeof fork>) => {
  const child = fork(...values);
  child.once('message', () => setTimeout(() => console.log(child.pid), 500));
  return child;
}) as typeof fork;

await readPdf(contentsOf(endless), { limits: { timeoutMs: 50_000 } });
