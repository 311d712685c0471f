import { messageOf } from '@utensil/core';
import type { JsonObject, Tool } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';

/** Parsed input of a person, or a problem. */
export type Edited = { readonly input: JsonObject } | { readonly problem: string };

/** Parses an edited input, and validates it if the tool's schema does not depend on options. */
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
