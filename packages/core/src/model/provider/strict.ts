// Strict schemas: an entry of its own, because a provider loads it only if an app asks for strict tools.

export { strictSchema } from '../../schema/strict.ts';
export type { StrictDialect, StrictSchema } from '../../schema/strict.ts';
