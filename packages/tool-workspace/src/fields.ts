import * as z from 'zod/mini';

/** A field of text that may be left out. */
export const optionalText = (description: string) => z.optional(z.string().check(z.describe(description)));

/** A field that is true or false, and may be left out. */
export const optionalFlag = (description: string) => z.optional(z.boolean().check(z.describe(description)));

/** A field of whole numbers that may be left out. */
export const optionalNumber = (description: string, least = 0, most = 1_000_000) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(most), z.describe(description)));

/** The project that a call is about. */
export const projectField = () => optionalText('The name of the project. Not needed where there is only one.');

/** A path that a call is about. */
export const pathField = (description = 'The path of the file, from the root of the project: src/main.ts.') =>
  z.string().check(z.minLength(1), z.describe(description));

/** Several paths that a call is about. */
export const pathsField = (description: string) =>
  z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.describe(description));

/** Paths that may be left out. */
export const optionalPaths = (description: string) =>
  z.optional(z.array(z.string().check(z.minLength(1))).check(z.describe(description)));

/** Whether what is ignored is meant too. */
export const ignoredField = () =>
  optionalFlag('Also what .gitignore files leave out, node_modules, dist and the like. Default false.');
