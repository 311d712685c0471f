import * as z from 'zod/mini';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));
const list = (description: string) => z.optional(z.array(z.string()).check(z.describe(description)));

/** Ways to give files of the project to an agent. */
export const waysOfFiles = ['text', 'attached', 'copy'] as const;

const input = z.object({
  task: text(
    'The task. The agent does not see this conversation: include everything it needs. With "agent" and no task, that agent resumes where it failed or was stopped.',
  ),
  agent: text('The id of an earlier agent to continue; it remembers its work. Default: a new agent.'),
  mode: z.optional(
    z
      .enum(['read_only', 'default'])
      .check(
        z.describe(
          'read_only (the default): it cannot change anything, and runs in parallel with other calls. default: it has all tools.',
        ),
      ),
  ),
  tools: list('Your tools that it may use. Default: all.'),
  persona: text('Its persona.'),
  model: text('Its model.'),
  files: list('Paths of your files to give to it.'),
  files_as: z.optional(
    z
      .enum(waysOfFiles)
      .check(
        z.describe(
          'text (the default): as text in its first message. attached: as attachments, for images and documents. copy: as copies among its own files, under the same paths.',
        ),
      ),
  ),
});

/** Input of the tool. */
export type SpawnInput = z.infer<typeof input>;

/** JSON Schema of the input. */
export const spawnInput = /* @__PURE__ */ z.toJSONSchema(input);
