// How the page that a sign-in ends at and the app tell each other. Only pages of this origin hear it.

export const signInChannel = 'utensil-signed-in';

/** The address that the browser came back to, for the tab that has begun the sign-in. */
export interface CameBack {
  readonly state: string;
  readonly address: string;
}

/** How it went, in words. */
export interface SignInOutcome {
  readonly finished: string;
  readonly text: string;
}
