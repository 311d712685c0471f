import { parseArgs } from 'node:util';
import { UtensilError } from '@utensil/core';

/** Parsed arguments of the program. */
export interface Arguments {
  /** One request: it is answered, and the program ends. */
  readonly request?: string;
  /** The standard input is waited for, however long its first byte takes. */
  readonly waitsForInput: boolean;
  readonly folder?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly thread?: string;
  /** Something to see, with a model that plays a script. */
  readonly show?: string;
  /** An exported conversation to replay. */
  readonly replay?: string;
  /** Path at which a test of it is written. */
  readonly test?: string;
  /** Offers tools that run commands, in a sandbox. */
  readonly shell: boolean;
  /** Commands run without a sandbox. */
  readonly noSandbox: boolean;
  /** US dollars that answers in this folder may cost a day. */
  readonly budget?: number;
  /** Everything is allowed, without a question. */
  readonly yes: boolean;
  /** Serves the tools to MCP clients: to the one that has started the program, or on a port of this machine. */
  readonly serveMcp?: McpTransportName;
  /** Port of `--serve-mcp=http`. */
  readonly port?: number;
  readonly help: boolean;
  readonly version: boolean;
}

const transports = ['stdio', 'http'] as const;

type McpTransportName = (typeof transports)[number];

export const helpText = `A chat in the terminal: a model works on the files of a folder with the tools of Utensil.

  npm run demo                                        starts a conversation
  npm run demo -- [options] "request"                 answers one request, then exits
  cat report.csv | npm run -s demo -- "summarize"     answers a request about the piped text
  npm run -s demo -- "request" > answer.txt           saves the answer alone
  npm run demo -- --show code-mode                    shows one program calling many tools; needs no model

Options
  --folder <path>      folder that the tools work on
                       default: .utensil-demo, a copy of the sample project
  --model <model>      offline, anthropic, openai, openai-chat, google, openrouter,
                       compatible or ollama; with a model id: openai:<id>
  --base-url <url>     another server for the model
  --thread <thread>    continues a thread: its number in /threads, or its id
  --budget <dollars>   stops answers when the models of this folder have cost that much today
  --yes                allows every change without asking
  --shell              lets the model run commands, in a sandbox (bubblewrap)
  --no-sandbox         with --shell: runs commands unsandboxed, with all your permissions
  --replay <file>      replays a conversation that /export wrote: no model, and no tool is run
  --test <file>        with --replay: writes a test of it, such as found.test.ts
  --serve-mcp          serves the tools of the folder to an MCP client, over stdio: no model;
                       the client asks about changes, unless --yes allows them
  --serve-mcp=http     the same on a port of this machine, for any number of clients
  --port <number>      with --serve-mcp=http: the port; default: one that is free
  --show code-mode     shows how one program calls many tools
  --help, --version

Environment
  ANTHROPIC_API_KEY, OPENAI_API_KEY,    the first one set selects the model, unless
  GEMINI_API_KEY, OPENROUTER_API_KEY,   /model selected one for this folder; without any,
  COMPATIBLE_BASE_URL                   a running Ollama, or offline
  COMPATIBLE_MODEL, COMPATIBLE_API_KEY  for any server that speaks OpenAI's API
  OLLAMA_HOST                           address of Ollama, if not the default
  ANTHROPIC_BASE_URL, OPENAI_BASE_URL   another server
  UTENSIL_KEY_FILE                      key that signs what you always allow;
                                        default: ~/.config/utensil/key
  NO_COLOR                              no colors

The answer goes to the standard output, everything else to the standard error, unless both are your terminal.
Without a terminal nobody can be asked, so changes are declined unless --yes allows them.
Exit codes: 0 answered, 1 failed, 2 wrong use, 3 a call was declined, 130 interrupted.
`;

/** Reads the arguments of the command line. Throws `invalid_input` with the error. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const { 'base-url': baseUrl, 'no-sandbox': noSandbox = false, 'serve-mcp': transport, ...named } = values;
  const { shell = false, yes = false, help = false, version = false, budget, port: givenPort, ...texts } = named;
  const waitsForInput = positionals.at(-1) === '-';
  const request = positionals
    .slice(0, waitsForInput ? -1 : undefined)
    .join(' ')
    .trim();
  if (positionals.length > 0 && request === '') throw wrongUse('The request is empty.');
  const dollars = dollarsOf(budget);
  checkTogether(values, request);
  const serveMcp = transports.find((each) => each === transport);
  const port = portOf(givenPort);
  return {
    ...texts,
    ...(request !== '' && { request }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(dollars !== undefined && { budget: dollars }),
    ...(serveMcp !== undefined && { serveMcp }),
    ...(port !== undefined && { port }),
    waitsForInput,
    shell,
    noSandbox,
    yes,
    help,
    version,
  };
}

function dollarsOf(budget: string | undefined): number | undefined {
  const dollars = budget === undefined ? undefined : Number(budget || Number.NaN);
  if (dollars === undefined || (dollars >= 0 && dollars < Infinity)) return dollars;
  throw wrongUse(`--budget is a number of dollars, such as 2.50; got ${budget}.`);
}

function portOf(port: string | undefined): number | undefined {
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    return port === undefined ? undefined : Number(port);
  throw wrongUse(`--port is a number up to 65535; got ${port}.`);
}

function checkTogether(values: ReturnType<typeof parse>['values'], request: string): void {
  const { shell, 'no-sandbox': noSandbox, 'serve-mcp': serveMcp, port, test, replay, show } = values;
  const empty = Object.entries(values).find(([, value]) => value === ''); // of a variable that is not set, as like as not
  if (empty !== undefined) throw wrongUse(`The value of --${empty[0]} is empty.`);
  if (noSandbox && !shell) throw wrongUse('--no-sandbox is for --shell.');
  if (test !== undefined && replay === undefined) throw wrongUse('--test is for --replay.');
  if (replay !== undefined && request !== '') throw wrongUse('--replay has no request.');
  if (serveMcp !== undefined && !transports.some((each) => each === serveMcp))
    throw wrongUse(`--serve-mcp is stdio or http; got ${serveMcp}.`);
  if (port !== undefined && serveMcp !== 'http') throw wrongUse('--port is for --serve-mcp=http.');
  if (serveMcp !== undefined && `${request}${replay ?? ''}${show ?? ''}` !== '')
    throw wrongUse('--serve-mcp takes no request: the client makes the calls.');
  if (show !== undefined && request !== '') throw wrongUse('--show has a request of its own.');
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: argv.map((word) => (word === '--serve-mcp' ? '--serve-mcp=stdio' : word)),
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        model: { type: 'string' },
        'base-url': { type: 'string' },
        thread: { type: 'string' },
        show: { type: 'string' },
        replay: { type: 'string' },
        test: { type: 'string' },
        budget: { type: 'string' },
        shell: { type: 'boolean' },
        'no-sandbox': { type: 'boolean' },
        'serve-mcp': { type: 'string' },
        port: { type: 'string' },
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
  return new UtensilError('invalid_input', `${message} See --help.`);
}
