// The tools, with their texts in reach. Those are no entry points of the packages, and need be none: this looks inside.
// Loaded by their place, because the packages depend on this one for their own tests.

import type { Tool } from '@utensil/core';
import type { Subject } from './mutate.ts';
import { rowsOf, runRow } from './table.ts';
import type { Row, ToolName } from './table.ts';

/** What the tools say: in answers, and in the prompt. */
export async function loadSubjects(): Promise<readonly Subject<Row>[]> {
  const { filesystemTexts = {} } = await load<TextTables>('filesystem', 'texts');
  const { memoryTexts = {}, promptTexts = {} } = await load<TextTables>('memory', 'texts');
  const prefixed = rowsOf('memory').filter(isOfPrompt);
  const ofPrompt = prefixed.map((row) => ({ ...row, literal: row.literal.slice(promptPrefix.length) }));
  const ofAnswers = rowsOf('memory').filter((row) => !isOfPrompt(row));
  const [runFilesystem, runMemory] = [await runner('filesystem'), await runner('memory')];
  return [
    { name: 'filesystem', texts: filesystemTexts, rows: rowsOf('filesystem'), run: runFilesystem },
    { name: 'memory', texts: memoryTexts, rows: ofAnswers, run: runMemory },
    { name: 'the prompt of memory', texts: promptTexts, rows: ofPrompt, run: runMemory },
  ];
}

type TextTables = Readonly<Record<string, Record<string, string>>>;

const promptPrefix = 'prompt.';

function isOfPrompt({ literal }: Row): boolean {
  return literal.startsWith(promptPrefix);
}

async function runner(name: ToolName): Promise<Subject<Row>['run']> {
  const { [`${name}Tool`]: tool } = await load<Readonly<Record<string, Tool>>>(name, name);
  if (tool === undefined) throw new Error(`There is no ${name}Tool.`);
  return (row) => runRow(tool, row);
}

async function load<Exports>(tool: ToolName, file: string): Promise<Exports> {
  const url = new URL(`../../../packages/tool-${tool}/src/${file}.ts`, import.meta.url);
  return (await import(url.href)) as Exports;
}
