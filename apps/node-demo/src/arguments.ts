import { parseArgs } from 'node:util';
import { UtensilError } from '@utensil/core';

/** What the program was started with. */
export interface Arguments {
  /** One request: it is answered, and the program ends. */
  readonly request?: string;
  readonly folder?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly thread?: string;
  /** Something to see, with a model that plays a script. */
  readonly show?: string;
  /** Offers tools that run commands, in a sandbox. */
  readonly shell: boolean;
  /** Commands run without a sandbox. */
  readonly noSandbox: boolean;
  /** Everything is allowed, without a question. */
  readonly yes: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export const helpText = `A chat in the terminal, with tools on a folder.

  npm run demo                          a conversation
  npm run demo -- [options] "request"   one request: it is answered, and the program ends
  npm run demo -- --show code-mode      one program of a model, in place of many calls; needs no model

Options
  --folder <path>      the folder that the tools work on
                       default: .utensil-demo, a copy of the sample project
  --model <model>      offline, anthropic, openai, openai-chat, google, openrouter,
                       compatible, ollama, or with the id of a model: openai:<id>
  --base-url <url>     another server for the model
  --thread <thread>    goes on with a thread: its number in /threads, or its id
  --yes                allows every change without a question
  --shell              lets the model run commands, in a sandbox (bubblewrap); off without it
  --no-sandbox         with --shell: commands run without a sandbox, and can do all that you can
  --show code-mode     shows how one program of a model calls many tools
  --help, --version

Environment
  ANTHROPIC_API_KEY, OPENAI_API_KEY,    the first that is set chooses the model, unless
  GEMINI_API_KEY, OPENROUTER_API_KEY,   /model chose one in this folder; without any, it
  COMPATIBLE_BASE_URL                   is one of an Ollama that runs here, or offline
  COMPATIBLE_MODEL, COMPATIBLE_API_KEY  of any server that speaks OpenAI's API
  OLLAMA_HOST                           where Ollama is, if not at its usual port
  ANTHROPIC_BASE_URL, OPENAI_BASE_URL   another server
  UTENSIL_KEY_FILE                      the key that seals what you always allow, outside
                                        the folder; default: ~/.config/utensil/key
  NO_COLOR                              no colours

A request that stands alone has nobody to ask: what would change something is denied unless --yes allows it.
Exit codes: 0 answered, 1 failed, 2 wrong use, 3 a call was denied, 130 interrupted.
`;

/** Reads the arguments of the command line. Throws `invalid_input` with what is wrong. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const { 'base-url': baseUrl, 'no-sandbox': noSandbox = false, ...named } = values;
  const { shell = false, yes = false, help = false, version = false, ...texts } = named;
  const request = positionals.join(' ').trim();
  if (positionals.length > 0 && request === '') throw wrongUse('The request is empty.');
  const empty = Object.entries(values).find(([, value]) => value === ''); // of a variable that is not set, as like as not
  if (empty !== undefined) throw wrongUse(`The value of --${empty[0]} is empty.`);
  if (noSandbox && !shell) throw wrongUse('--no-sandbox is for --shell.');
  if (texts.show !== undefined && request !== '') throw wrongUse('--show has a request of its own.');
  return {
    ...texts,
    ...(request !== '' && { request }),
    ...(baseUrl !== undefined && { baseUrl }),
    shell,
    noSandbox,
    yes,
    help,
    version,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        model: { type: 'string' },
        'base-url': { type: 'string' },
        thread: { type: 'string' },
        show: { type: 'string' },
        shell: { type: 'boolean' },
        'no-sandbox': { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    const [said = ''] = String(error instanceof Error ? error.message : error).split('. '); // advice of Node's follows
    throw wrongUse(said.endsWith('.') ? said : `${said}.`);
  }
}

function wrongUse(message: string): UtensilError {
  return new UtensilError('invalid_input', `${message} --help shows how it is used.`);
}
