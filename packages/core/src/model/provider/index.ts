// Functions and data shared by adapters of models. The contract itself, `Model`, is in the root entry. Each line is a
// module of its own, because bundlers keep everything that one file exports in one chunk, and failures and unions are
// needed late or never. The same goes for `provider/strict`.

export * from './adapter.ts';
export * from './arrangement.ts';
export * from './failures.ts';
export * from './unions.ts';
