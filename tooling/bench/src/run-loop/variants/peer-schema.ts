import { z } from 'zod';

/** The schema of a tool as the peers' documentation writes it: plain zod. */
export function peerSchema() {
  return z.object({
    city: z.string().describe('The name of the city'),
    days: z.int().describe('How many days'),
    unit: z.enum(['metric', 'imperial']).optional(),
  });
}
