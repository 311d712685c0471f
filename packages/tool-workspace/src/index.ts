export { deleteFilesTool } from './delete-files.ts';
export { editFileTool } from './edit-file.ts';
export { globFilesTool } from './glob-files.ts';
export { listFilesTool } from './list-files.ts';
export { listProjectsTool } from './list-projects.ts';
export { moveTool } from './move.ts';
export { readFilesTool } from './read-files.ts';
export { readNoteTool } from './read-note.ts';
export { searchFilesTool } from './search-files.ts';
export { searchNotesTool } from './search-notes.ts';
export { executeCommandTool } from './shell/execute-command.ts';
export { writeStdinTool } from './shell/write-stdin.ts';
export { viewDocumentsTool } from './view-documents.ts';
export { viewImagesTool } from './view-images.ts';
export { writeFileTool } from './write-file.ts';

export { projects, projectsOf } from './projects.ts';
export type { Project, Projects, ProjectSource } from './projects.ts';
export type { Answer, Contents, FileReader, NamedEntry, ReadEach } from './reader.ts';
