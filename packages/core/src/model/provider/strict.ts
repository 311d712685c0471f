// Strict schemas. A separate entry, because providers load it only if an app asks for strict tools.

export { strictSchema } from '../../schema/strict.ts';
export type { StrictDialect, StrictSchema } from '../../schema/strict.ts';
