// Answers a question in its own process several times, as tool calls. Prints the durations as JSON.

import { createFiles, runTool } from '@utensil/core';
import { directoryReader, filesystemStorage } from '@utensil/storage-filesystem';
import { globFilesTool, projectsOf, searchFilesTool } from '@utensil/tool-workspace';
import type { Answered, WorkspaceJob } from './job.ts';

const { root, question, variant, times } = JSON.parse(process.argv[2] ?? '') as WorkspaceJob;
const files = createFiles(filesystemStorage(root));
const project = variant === 'reader' ? { files, reader: directoryReader(root) } : { files };
const host = { projects: projectsOf({ project }) };

const answers: Answered[] = [];
for (let time = 0; time < times; time++) answers.push(await answer());
console.log(JSON.stringify(answers));

async function answer(): Promise<Answered> {
  const { pattern, isLiteral = false, kind } = question;
  const started = performance.now();
  let firstMs: number | undefined;
  const progress = (): void => {
    firstMs ??= performance.now() - started;
  };
  const { output, isError } =
    kind === 'glob'
      ? await runTool(globFilesTool, { pattern, limit: 10_000 }, { host, progress })
      : await runTool(searchFilesTool, { pattern, literal: isLiteral }, { host });
  const ms = performance.now() - started;
  if (isError) throw new Error(String(output));
  const text = String(output);
  const [, lines] = /(\d+) matching line\(s\) in \d+ file\(s\)$/.exec(text) ?? [];
  return {
    ms,
    found: kind === 'glob' ? text.split('\n').length : Number(lines ?? 0),
    ...(firstMs !== undefined && { firstMs }),
  };
}
