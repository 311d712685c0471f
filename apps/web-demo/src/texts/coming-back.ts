/** Texts of `signed-in.html`, until the tab that began a sign-in reports its outcome. */
export const comingBack =
  'Finishing the sign-in… If this text stays, the tab of Utensil is closed: close this one, open Utensil and sign in again.';
