import { option } from '@utensil/core';
import * as z from 'zod/mini';

/** What the tools for the time have in common: where the user is. */
export const timezoneOption = /* @__PURE__ */ option.text({
  label: 'Time zone',
  description: 'Such as Europe/Rome. Empty: the one of this machine.',
  default: '',
});

/** The field for a time zone. */
export const timezoneField = /* @__PURE__ */ z.optional(
  z.string().check(z.describe('Such as "Europe/Rome" or "+02:00". Default: where the user is.')),
);
