import { loadOnce } from '../base/eventually.ts';

// Code that most calls do not need. Each is loaded once, and throws `code_unavailable`.

export const loadInvalidValues = loadOnce(() => import('./invalid-values.ts'));
export const loadMigration = loadOnce(() => import('./migrate.ts'));
