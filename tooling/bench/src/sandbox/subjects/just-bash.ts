import { Bash } from 'just-bash';
import { joined, type OpenSubject } from '../subject.ts';

/** The command `js-exec` of just-bash: one shell, a file per script. */
export const justBash: OpenSubject = ({ add, give }) => {
  const bash = new Bash({
    javascript: {
      invokeTool: async (path, text) => JSON.stringify(path === 'add' ? add(Number(JSON.parse(text))) : give()),
    },
    executionLimits: { maxJsTimeoutMs: 120_000 },
  });
  let scripts = 0;
  return {
    async run(task) {
      const path = `/tmp/${scripts++}.mjs`;
      const body = `const host = tools;\nconst value = await (async () => {\n${joined(task)}\n})();\nconsole.log(JSON.stringify(value));`;
      await bash.fs.writeFile(path, body);
      const { exitCode, stdout, stderr } = await bash.exec(`js-exec ${path}`);
      await bash.fs.rm(path);
      if (exitCode !== 0) throw new Error(stderr.slice(0, 300));
      return JSON.parse(stdout) as unknown;
    },
    close: () => undefined,
  };
};
