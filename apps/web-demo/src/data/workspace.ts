import { openSettings } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { Registry, Seals, SettingsStore } from '@utensil/core';
import { migrate } from '@utensil/core/migrations';
import { openConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { openDrafts } from './drafts.ts';
import type { MessageDrafts } from './drafts.ts';
import { openFileEdits } from './file-edits.ts';
import type { FileEdits } from './file-edits.ts';
import { addFirstFiles } from './first-files.ts';
import { grantSeals } from './grant-seals.ts';
import { browserKeyStore, pageKeyStore } from './key-store.ts';
import type { McpServers } from './mcp-servers/mcp-servers.ts';
import { takeLastSettings } from './model-choice.ts';
import type { ProjectRules } from './project-rules.ts';
import { addProject, hasProject, listProjects } from './projects.ts';
import type { Project } from './projects.ts';
import { openStorages } from './storage.ts';
import type { ProjectStorage, Storages } from './storage.ts';
import { createTools } from './tools.ts';
import { openVault } from './vault.ts';
import type { Vault } from './vault.ts';

/** Open storages, registry, secrets and projects of the app. */
export interface Workspace {
  readonly storages: Storages;
  readonly registry: Registry;
  readonly vault: Vault;
  /** Models listed by services since the page was opened, by the names of their keys. */
  readonly modelLists: Map<string, readonly string[]>;
  /** The MCP servers; the same object each time. Their code is loaded if there are servers, or the settings show them. */
  mcpServers(): Promise<McpServers>;
  projects(): readonly Project[];
  /** Reads the list of projects again. */
  reload(): Promise<void>;
  /** Adds a project, whose model is the one chosen last. */
  addProject(name: string): Promise<Project>;
  open(project: Project): Promise<OpenProject>;
  subscribe(listener: () => void): () => void;
}

/** A project with its resources. */
export interface OpenProject extends ProjectStorage {
  readonly project: Project;
  readonly settings: SettingsStore;
  /** The user's rules about calls, and those of this app; the same object each time. */
  rules(): Promise<ProjectRules>;
  /** Messages that are written and not sent. */
  readonly drafts: MessageDrafts;
  /** Edits of files that are not saved; the same object each time. */
  fileEdits(): FileEdits;
  /** State of the file page, kept while it is hidden. */
  readonly lookedAt: { path: string | undefined };
  /** A conversation of that id; the same object each time, so that its run goes on while another page is looked at. */
  conversation(id: string): Conversation;
}

/** Opens everything that the browser has stored. */
export async function openWorkspace(): Promise<Workspace> {
  const storages = await openStorages();
  const registry = createTools();
  const keysOf = storages.problem === undefined ? browserKeyStore : pageKeyStore;
  const vault = await openVault(storages.app, keysOf('utensil-web-demo-keys'));
  const seals = grantSeals(keysOf('utensil-web-demo-seals'));
  const { notify, subscribe } = createListeners();
  let projects = await listProjects(storages.app);
  const opened = new Map<string, Promise<OpenProject>>();
  let servers: Promise<McpServers> | undefined;

  function mcpServers(): Promise<McpServers> {
    return (servers ??= import('./mcp-servers/mcp-servers.ts')
      .then(({ openMcpServers }) => openMcpServers({ app: storages.app, registry, vault }))
      .catch((error: unknown) => {
        servers = undefined; // the network may be back for the next look
        throw error;
      }));
  }

  void storages.app
    .get(['mcp-servers'])
    .then((found) => found && mcpServers())
    .catch(() => undefined); // their page says what is wrong

  async function reload(): Promise<void> {
    projects = await listProjects(storages.app);
    notify();
  }

  return {
    storages,
    registry,
    vault,
    modelLists: new Map(),
    mcpServers,
    projects: () => projects,
    reload,
    async addProject(name) {
      const project = await addProject(storages.app, { name });
      await takeLastSettings(storages.project(project.id).records, storages.app);
      await reload();
      return project;
    },
    open(project) {
      const known = opened.get(project.id) ?? openProject(project, { storages, registry, vault, seals });
      opened.set(project.id, known);
      known.catch(() => opened.delete(project.id));
      return known;
    },
    subscribe,
  };
}

/** Settings with which a project is opened. */
export interface Opening {
  readonly storages: Storages;
  readonly registry: Registry;
  readonly vault: Vault;
  readonly seals: Seals;
}

/** Opens a project; its settings may be those of an older app. */
export async function openProject(
  project: Project,
  { storages, registry, vault, seals }: Opening,
): Promise<OpenProject> {
  const stored = storages.project(project.id);
  const settings = await openSettings(stored.records, project.id, { migrate });
  let loaded: Promise<ProjectRules> | undefined;
  const rules = (): Promise<ProjectRules> =>
    (loaded ??= import('./project-rules.ts').then(
      ({ projectRules }) => projectRules(settings, seals, project.id),
      (error: unknown) => {
        loaded = undefined; // the network may be back for the next run
        throw error;
      },
    ));
  const conversations = new Map<string, Conversation>();
  let fileEdits: FileEdits | undefined;
  await addFirstFiles(stored).catch(() => undefined); // there is less to try then, and nothing else is lost
  void stored.storage.history.compact().catch(() => undefined); // tidies up; nothing depends on it
  return {
    ...stored,
    project,
    settings,
    rules,
    drafts: openDrafts(project.id),
    fileEdits: () => (fileEdits ??= openFileEdits(stored.records, () => hasProject(storages.app, project.id))),
    lookedAt: { path: undefined },
    conversation(id) {
      const known = conversations.get(id);
      if (known !== undefined) return known;
      const setup = { project: stored, settings, registry, vault, seals, rules, tier: 'write' } as const;
      const conversation = openConversation(id, { ...setup, projectId: project.id });
      conversations.set(id, conversation);
      return conversation;
    },
  };
}
