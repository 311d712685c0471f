import { builtCeilings, oneTool } from '../../../surface/built-ceilings.ts';

/** An import set as a program. */
export interface ImportSet {
  readonly title: string;
  readonly program: string;
  /** Dependencies that its user has anyway. */
  readonly without?: readonly string[];
}

/** The smallest useful programs, ours and our peers'. */
export const importSets: readonly ImportSet[] = [
  { title: '@utensil/core: defineTool', program: `export { defineTool } from '@utensil/core';` },
  { title: '@utensil/core: registry, run and one tool', program: oneTool },
  { title: '@utensil/core: everything', program: `export * from '@utensil/core';` },
  {
    title: '… registry, run, one tool and openai(), without the SDK',
    program: `${oneTool} export { openai } from '@utensil/provider-openai';`,
    without: ['openai'],
  },
  {
    title: '… and with the SDK of OpenAI',
    program: `${oneTool} export { openai } from '@utensil/provider-openai';`,
  },
  {
    title: 'zod/mini: an object with toJSONSchema',
    program: `import * as z from 'zod/mini'; export const schema = z.toJSONSchema(z.object({ a: z.string(), b: z.int() }));`,
  },
  {
    title: 'zod: an object',
    program: `import { z } from 'zod'; export const schema = z.object({ a: z.string(), b: z.int() });`,
  },
  { title: 'ai: tool', program: `export { tool } from 'ai';` },
  { title: 'ai: generateText and tool', program: `export { generateText, tool } from 'ai';` },
  {
    title: '… and @ai-sdk/openai-compatible',
    program: `export { generateText, tool } from 'ai'; export { createOpenAICompatible } from '@ai-sdk/openai-compatible';`,
  },
  { title: '@tanstack/ai: toolDefinition', program: `export { toolDefinition } from '@tanstack/ai';` },
  { title: '@tanstack/ai: chat and toolDefinition', program: `export { chat, toolDefinition } from '@tanstack/ai';` },
  {
    title: '… and openaiCompatible',
    program: `export { chat, toolDefinition } from '@tanstack/ai'; export { openaiCompatible } from '@tanstack/ai-openai/compatible';`,
  },
];

/** Programs bundled from the built packages, and from the sources. */
export const ownPrograms = builtCeilings;

/** Imports of a fresh process. */
export const coldImports: readonly string[] = [
  '@utensil/core',
  '@utensil/provider-openai',
  'zod/mini',
  'zod',
  'openai',
  'ai',
  '@tanstack/ai',
];

/** Packages to install. */
export const packages: readonly string[] = [
  '@utensil/core',
  '@utensil/provider-openai',
  'ai',
  '@tanstack/ai',
  'zod',
  'openai',
];
