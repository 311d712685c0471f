/** What a program can do next. `pause`: it stands still until the other one has nothing more to do. */
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
