export { UtensilDiff } from './diff/diff.ts';
