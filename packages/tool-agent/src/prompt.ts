import type { Files, Models } from '@utensil/core';
import { allowedModels } from './models.ts';
import { listPersonas } from './persona.ts';

/** Personas and models for the model to choose from; empty if there is no choice. */
export async function agentPrompt(files: Files, models: Models, allowed: readonly string[]): Promise<string> {
  const personas = (await listPersonas(files)).map(({ name, summary }) => lineOf(name, summary));
  const choices = allowedModels(models, allowed).map(({ id, description }) => lineOf(id, description));
  if (personas.length + choices.length === 0) return '';
  return ['## Agents', ...section('Personas', personas), ...section('Models', choices)].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function lineOf(name: string, description = ''): string {
  return description === '' ? `- ${name}` : `- ${name}: ${description}`;
}
