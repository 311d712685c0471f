export { UtensilThread } from './thread.ts';
export type { Branch } from './facts.ts';
