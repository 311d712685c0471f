export { UtensilThread } from './thread.ts';
export type { OwnerDetail } from './thread.ts';
export type { OtherOwner } from './other.ts';
export type { Branch } from './facts.ts';
