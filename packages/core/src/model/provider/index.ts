// Functions and data that adapters of models share. The contract itself, `Model`, is in the root entry. Each line is a part that is
// built apart: bundlers put what one file exports in one place, and failures and unions are needed late or never. So is `provider/strict`.

export * from './adapter.ts';
export * from './arrangement.ts';
export * from './failures.ts';
export * from './unions.ts';
