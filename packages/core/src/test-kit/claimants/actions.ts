/** Next steps of a program. `pause`: it waits until the other program has nothing left to do. */
export const actions = [
  'resume',
  'answer',
  'send',
  'append',
  'claim',
  'append as owner',
  'renew',
  'release',
  'wait',
  'pause',
  'die',
  'delete',
] as const;
export type Action = (typeof actions)[number];
