import * as z from 'zod/mini';

/** An optional text field. */
export const optionalText = (description: string) => z.optional(z.string().check(z.describe(description)));

/** An optional boolean field. */
export const optionalFlag = (description: string) => z.optional(z.boolean().check(z.describe(description)));

/** An optional integer field. */
export const optionalNumber = (description: string, least = 0, most = 1_000_000) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(most), z.describe(description)));

/** The project of a call. */
export const projectField = () => optionalText('The name of the project. Not needed if there is only one.');

/** The path of a call. */
export const pathField = (description = 'The path of the file, from the root of the project: src/main.ts.') =>
  z.string().check(z.minLength(1), z.describe(description));

/** The paths of a call. */
export const pathsField = (description: string) =>
  z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.describe(description));

/** Optional paths. */
export const optionalPaths = (description: string) =>
  z.optional(z.array(z.string().check(z.minLength(1))).check(z.describe(description)));

/** Flag to include ignored files. */
export const ignoredField = () =>
  optionalFlag(
    'Includes node_modules, dist and other folders of generated files, and files ignored by .gitignore. Default false.',
  );
