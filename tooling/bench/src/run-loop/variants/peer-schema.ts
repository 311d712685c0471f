import { z } from 'zod';

/** Schema of a tool as in the peers' documentation: plain zod. */
export function peerSchema() {
  return z.object({
    city: z.string().describe('The name of the city'),
    days: z.int().describe('How many days'),
    unit: z.enum(['metric', 'imperial']).optional(),
  });
}
