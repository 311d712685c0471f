import * as z from 'zod/mini';

const text = (description: string) => z.optional(z.string().check(z.describe(description)));
const list = (description: string) => z.optional(z.array(z.string()).check(z.describe(description)));

/** How files of the project come to an agent. */
export const waysOfFiles = ['text', 'attached', 'copy'] as const;

const input = z.object({
  task: text(
    'What the agent is to do. It knows nothing of this conversation: say everything that it needs. With "agent" and no task, that agent goes on from where it failed or was stopped.',
  ),
  agent: text('The id of an earlier agent to go on with, which remembers what it did. Absent: a new one.'),
  mode: z.optional(
    z
      .enum(['read_only', 'default'])
      .check(
        z.describe(
          'read_only (the default): it can change nothing, and runs together with other calls. default: it has all tools.',
        ),
      ),
  ),
  tools: list('The names of the tools that it may use, of yours. Absent: all.'),
  persona: text('The persona that it has.'),
  model: text('The model that it is.'),
  files: list('Paths of files of yours that it is given.'),
  files_as: z.optional(
    z
      .enum(waysOfFiles)
      .check(
        z.describe(
          'text (the default): their text is in its first message. attached: they are attached, such as images and documents. copy: they are among its own files, under the same paths.',
        ),
      ),
  ),
});

/** What the model says of an agent that it begins. */
export type SpawnInput = z.infer<typeof input>;

/** The input of the tool. */
export const spawnInput = /* @__PURE__ */ z.toJSONSchema(input);
