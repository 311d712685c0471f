// Messages between the app and the page at which a sign-in ends. Only pages of this origin receive them.

export const signInChannel = 'utensil-signed-in';

/** The address that the browser came back to, for the tab that has begun the sign-in. */
export interface CameBack {
  readonly state: string;
  readonly address: string;
}

/** Outcome, in words. */
export interface SignInOutcome {
  readonly finished: string;
  readonly text: string;
}
