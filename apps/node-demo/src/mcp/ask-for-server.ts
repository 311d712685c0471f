import type { JsonObject, OptionDefinition } from '@utensil/core';
import type { AskPerson, McpAnswer, McpFormQuestion, McpQuestion } from '@utensil/interop-mcp/client';
import type { Conversation } from '../conversation.ts';
import { plain, plainLine } from '../plain.ts';

type Asked = Pick<Conversation, 'terminal' | 'screen'>;

/** Puts questions of servers to the person. The name of the server comes first: what is typed goes to it. */
export function askForServer({ terminal, screen }: Asked): AskPerson {
  async function put(question: McpQuestion, signal: AbortSignal): Promise<McpAnswer> {
    const ask = async (text: string): Promise<string | undefined> => (await terminal.ask(text, signal))?.trim();
    terminal.write(screen.note(introduction(question)));
    if (question.type === 'form') return answerForm(question, ask);
    return decided(await ask('  Have you opened it? [y]es · [n]o: '));
  }

  return (question, { signal }) => terminal.inTurn(() => put(question, signal));
}

function introduction(question: McpQuestion): string {
  const asks = `${plainLine(question.server)} asks: ${plain(question.message)}`;
  return question.type === 'url' ? `${asks}\nIt wants you to open this page:\n${plainLine(question.url)}` : asks;
}

type AskLine = (text: string) => Promise<string | undefined>;

async function answerForm({ fields }: McpFormQuestion, ask: AskLine): Promise<McpAnswer> {
  const consent = decided(await ask('  Answer? [y]es · [n]o: '));
  if (consent !== 'accept') return consent;
  const content: Record<string, JsonObject[string]> = {};
  for (const [key, field] of Object.entries(fields)) {
    const value = await valueOf(field, ask);
    if (value === undefined) return 'cancel';
    if (value !== '') content[key] = value; // nothing was typed: the server's default holds
  }
  return { accept: content };
}

function decided(line: string | undefined): 'accept' | 'decline' | 'cancel' {
  if (line === undefined) return 'cancel';
  return /^y(?:es)?$/i.test(line) ? 'accept' : 'decline';
}

/** The value of a field; empty if nothing was typed, undefined if there is no answer. */
async function valueOf(field: OptionDefinition, ask: AskLine): Promise<string | number | boolean | undefined> {
  const prompt = `  ${plainLine(field.label)}${hintOf(field)}: `;
  for (;;) {
    const line = await ask(prompt);
    if (line === undefined || line === '') return line;
    const value = parse(field, line);
    if (value !== undefined) return value;
  }
}

function hintOf(field: OptionDefinition): string {
  if (field.kind === 'boolean') return ` [y]es · [n]o (${field.default ? 'yes' : 'no'})`;
  if (field.kind === 'select')
    return ` ${field.choices.map(({ label }, index) => `${index + 1} ${plainLine(label)}`).join(' · ')}`;
  return 'default' in field && field.default !== '' ? ` (${plainLine(String(field.default))})` : '';
}

/** A line as the value of a field; undefined if it is invalid. */
function parse(field: OptionDefinition, line: string): string | number | boolean | undefined {
  switch (field.kind) {
    case 'boolean':
      return /^(?:y|yes|n|no)$/i.test(line) ? /^y/i.test(line) : undefined;
    case 'number':
      return Number.isFinite(Number(line)) ? Number(line) : undefined;
    case 'select':
      return field.choices[Number(line) - 1]?.value ?? field.choices.find(({ value }) => value === line)?.value;
    default:
      return line;
  }
}
