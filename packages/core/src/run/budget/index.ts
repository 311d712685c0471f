// Budgets: allowances of tokens and cost shared by runs.
export { storedBudget } from './stored-budget.ts';
export type { StoredBudget, StoredBudgetOptions } from './stored-budget.ts';
export type { Balance, Budget, Reservation, Spending } from './budget.ts';
