// The tools, with their texts in reach. Those are no entry points of the packages, and need be none: this looks inside.

import type { Tool } from '@utensil/core';
import { filesystemTool } from '@utensil/tool-filesystem';
import { memoryTool } from '@utensil/tool-memory';
import type { Subject } from './mutate.ts';
import { rowsOf, runRow } from './table.ts';
import type { Row, ToolName } from './table.ts';

type TextTables = Readonly<Record<string, Record<string, string>>>;

/** What the tools say: in answers, and in the prompt. */
export async function loadSubjects(): Promise<readonly Subject<Row>[]> {
  const { filesystemTexts = {} } = await loadTexts('filesystem');
  const { memoryTexts = {}, promptTexts = {} } = await loadTexts('memory');
  const prefixed = rowsOf('memory').filter(isOfPrompt);
  const ofPrompt = prefixed.map((row) => ({ ...row, literal: row.literal.slice(promptPrefix.length) }));
  const ofAnswers = rowsOf('memory').filter((row) => !isOfPrompt(row));
  return [
    { name: 'filesystem', texts: filesystemTexts, rows: rowsOf('filesystem'), run: runWith(filesystemTool) },
    { name: 'memory', texts: memoryTexts, rows: ofAnswers, run: runWith(memoryTool) },
    { name: 'the prompt of memory', texts: promptTexts, rows: ofPrompt, run: runWith(memoryTool) },
  ];
}

const promptPrefix = 'prompt.';

function isOfPrompt({ literal }: Row): boolean {
  return literal.startsWith(promptPrefix);
}

function runWith(tool: Tool): Subject<Row>['run'] {
  return (row) => runRow(tool, row);
}

async function loadTexts(tool: ToolName): Promise<TextTables> {
  const url = new URL(`../../../packages/tool-${tool}/src/texts.ts`, import.meta.url);
  return (await import(url.href)) as TextTables;
}
