import { option } from '@utensil/core';
import * as z from 'zod/mini';

/** Option common to the time tools: the user's zone. */
export const timezoneOption = /* @__PURE__ */ option.text({
  label: 'Time zone',
  description: 'For example Europe/Rome. Empty: the zone of this machine.',
  default: '',
});

/** Input field for a time zone. */
export const timezoneField = /* @__PURE__ */ z.optional(
  z.string().check(z.describe('For example "Europe/Rome" or "+02:00". Default: the time zone of the user.')),
);
