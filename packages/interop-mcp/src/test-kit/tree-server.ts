import { spawn } from 'node:child_process';
import process from 'node:process';
import { serveLines, texts, write } from './lines.ts';

// A server that starts a process which heeds nothing but force.

const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
const child = spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' });
let cancelled = 0;
const inputSchema = { type: 'object' };

serveLines(
  () => ['pids', 'wait', 'environment', 'cancelled'].map((name) => ({ name, inputSchema })),
  (name, { id }) => {
    if (name === 'pids') write({ id, result: { content: [], structuredContent: [process.pid, child.pid] } });
    if (name === 'cancelled') write({ id, result: { content: [], structuredContent: [cancelled] } });
    if (name === 'environment') write({ id, result: texts(Object.keys(process.env).join(' ')) });
  },
  { notice: (method) => void (cancelled += method === 'notifications/cancelled' ? 1 : 0) },
);
