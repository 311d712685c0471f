import { messageOf } from '@utensil/core';
import type { JsonObject, Tool } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';

/** What a person wrote in the place of an input: an input, or why it is none. */
export type Edited = { readonly input: JsonObject } | { readonly problem: string };

/** Reads an input that a person wrote, and checks it by the schema of its tool where that is the same for all options. */
export async function editedInput(text: string, tool: Tool | undefined, texts: Texts['approval']): Promise<Edited> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return { problem: texts.noJson(messageOf(error)) };
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { problem: texts.noObject };
  const problems =
    tool !== undefined && '~standard' in tool.input ? await problemsOf(tool.input, input).catch(messageOf) : '';
  return problems === '' ? { input: input as JsonObject } : { problem: texts.wrong(problems) };
}

async function problemsOf(
  schema: Exclude<Tool['input'], (...input: never) => unknown>,
  input: object,
): Promise<string> {
  const { issues = [] } = await schema['~standard'].validate(structuredClone(input));
  return issues
    .map(({ message, path = [] }) => {
      const place = path.map((key) => String(typeof key === 'object' ? key.key : key)).join('.');
      return place === '' ? message : `${place}: ${message}`;
    })
    .join('; ');
}
