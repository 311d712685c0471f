import { fill } from '@utensil/core/file-commands';
import type { TextValues } from '@utensil/core/file-commands';

/** Texts of the tools. {@link say} fills in placeholders such as `{path}`. */
const texts = {
  noProjects: 'There are no projects here: the app offers none.',
  projectRequired: 'There are several projects: say which one is meant as `project`. They are: {names}.',
  unknownProject: "There is no project '{project}'. The projects are: {names}.",
  projectLine: '- {name}: {description}',
  projectLineShort: '- {name}',

  diskPath: 'It is a path of a disk. Give the path from the root of the project, such as src/main.ts.',
  outside: "It leads out of the project with '..': give the path from the root of the project.",
  rootPath: 'It is the root of the project: give the path of a file.',

  noFiles: "There are no files in '{path}'.",
  listingCut: '[Showing {shown} of {total} entries, as deep as they fit. List a directory to see all of its entries.]',
  directoryFiles: '{name}/ ({count} files: {kinds})',
  directoryFile: '{name}/ (1 file: {kinds})',

  loaded: 'Successfully loaded the following file(s):',
  notLoaded: "Failed to load '{path}' in project '{project}': {problem}",
  noneLoaded: 'No file was loaded.',
  loadedStatus: 'Successfully loaded {count} file(s)',
  partlyLoadedStatus: 'Loaded {count} file(s), failed to load {failed} file(s)',
  fileHead: '>>>>> FILE: {path}',
  fileHeadLines: '>>>>> FILE: {path} (lines {first}-{last} of {total})',
  fileVersion: 'version {version}',
  fileEnd: '<<<<< END FILE',
  emptyFile: '(empty)',
  tooLargeToRead:
    'File is too large to read in full ({size} KB, {lines} lines). Options: read a range of lines ({path}:1-200), find the place with search_files, or set ignore_size_limit.',
  minified:
    ' Its lines are very long, so it is perhaps minified or generated: search_files shows excerpts; look for its source.',
  binaryFile: 'It is not text, but {type}, {size} bytes.',
  viewInstead: ' {tool} shows it.',
  noSuchLines: 'There are no lines {range}: it has {total} line(s).',

  emptyPattern: 'The pattern is empty: give a text or a regular expression to search for.',
  patternTooSlow:
    'EINVAL: invalid pattern. It takes too long on these files: repeat less in it, or narrow the search with paths or a glob.',
  noMatches: "No matches for '{pattern}' in {count} file(s).",
  resultHead: '>>>>> RESULT: {path}:{first}-{last}',
  resultHeadLine: '>>>>> RESULT: {path}:{first}',
  resultEnd: '<<<<< END RESULT',
  manyMatches: '{lines} lines in {files} files match: more than fit. The first ones, then all files with their counts:',
  moreFiles: '[… and {count} more files: narrow the search with a longer pattern, paths or a glob.]',
  fileCount: '{path}: {count}',
  totalCount: '{lines} matching line(s) in {files} file(s)',
  searchCut: '[The search stopped here: there is more. Narrow it with a longer pattern, paths or a glob.]',
  notSearchedLarge: 'Not searched, because they have more than {limit} MB: {paths}.',
  notSearchedUnreadable: 'Not searched, because they cannot be read: {paths}.',
  ignoredHint: ' Ignored files were not looked at: include_ignored does.',

  rulesCut:
    '[Not all patterns are heeded of {paths}: there are too many, so files are shown that they would leave out.]',
  noGlobMatches: "No files found matching pattern '{pattern}'",
  moreGlobMatches: '[{shown} files are shown, and there are more: narrow the pattern, or raise limit.]',
  globStatus: '{count} file(s)',

  written: "Successfully wrote {bytes} bytes to file '{path}' ({what}, version {version})",
  newFile: 'new file',
  replaced: 'in place of {bytes} bytes',
  savedDifferently:
    'It was saved differently, perhaps by a program that formats it. It is now (version {version}):\n{content}',
  appended: '{bytes} bytes in all',
  unchanged: "File '{path}' has this content already: nothing was written (version {version}).",
  changedMeanwhile:
    "File '{path}' has changed since it was read: its version is {version}, not {expected}. Read it again, and then change what is there now.",
  goneMeanwhile: "File '{path}' is gone since it was read (version {expected}). To create it again, omit the version.",
  halfCharacter: 'The text contains half of a surrogate pair.',
  appendToBinary: 'Text can only be added to text.',

  edited: "Successfully edited file '{path}' ({count} place(s), version {version})",
  editedLines: 'Lines {first}-{last} are now:',
  editNeeds: 'Give old_text and new_text, or diff with SEARCH/REPLACE blocks.',
  editNeedsOne: 'Give either old_text and new_text, or diff: not both.',

  deleted: "Deleted '{path}'{what}",
  deletedDirectory: ' with {count} file(s)',
  moreFilesAt: '{path} ({count} more files)',
  notShown: '(not shown)',
  notDeleted: "Failed to delete '{path}': {problem}",
  deletedStatus: 'Deleted {count} of {total}',
  directoryNeedsFlag: 'It is a directory with {count} file(s): set recursive to delete it with everything in it.',
  moveDescription: 'Moves or renames a file or directory of a project.',
  moveDescriptionLinks:
    'Moves or renames a file or directory of a project, and updates the links to it in Markdown notes, and those in moved notes.',
  moved: "Moved '{from}' to '{to}'",
  linksUpdated: 'Updated {count} link(s) in {files} file(s): {paths}',
  linksNone: 'No links had to be updated.',
  linksNotUpdated: 'Links were not updated: {problem}',
  linksTooManyNotes: 'the project has more than {limit} notes.',
  linksTooMuchText: 'its notes have more than {limit} MB of text.',
  linksTooManyChanges: '{count} notes would change, and {limit} is the limit.',
  linksRefused: 'Links were not updated in these files, because they cannot be written: {paths}',
  linksInInstructions: 'Links were not updated in these files, because models obey them: {paths}',
  linksLost: 'Wiki links to these files were not updated, because their names contain [, ], | or #: {paths}',
  linksUnread:
    'Links were not looked for in these notes, because they are too large, too complex or unreadable: {paths}',
  andMore: ' and {count} more',

  imageShown: "Image '{path}' ({type}, {size} bytes):",
  noImage: 'It is no image, but {type}. Images are PNG, JPEG, GIF and WebP.',
  imageTooLarge: 'The image has {size} MB; the limit is {limit} MB: make it smaller.',
  imagesStatus: '{count} image(s)',
  documentHead: '>>>>> DOCUMENT: {path} ({pages} page(s))',
  documentEnd: '<<<<< END DOCUMENT',
  documentCut: '[… {missing} of {total} characters follow: continue at offset {next}.]',
  documentEmpty: '(no text: its pages are perhaps images)',
  documentTooLarge: 'The document has {size} MB; the limit is {limit} MB.',
  documentKind:
    'Documents of this kind ({type}) cannot be read here: PDF and text can. Have it saved as one of these, such as with an office program.',
  documentPartlyRead: 'Of {pages} pages, the first {read} were read. {problem}',
  documentBroken: 'The PDF cannot be read. {problem}',
  documentsStatus: '{count} document(s)',

  noNotes: "No notes found for '{query}'.",
  noteHit: '>>>>> NOTE: {path}{heading} (score {score}, changed {date})',
  noteEnd: '<<<<< END NOTE',
  noteNotText: 'It is not text: view_images and view_documents show images and PDF documents.',
  noteEmpty: 'The note is empty.',
  noteChunkIndex: 'Parts are counted from 0.',
  noteOutOfRange: 'There is no part {index}: the last one is {last}.',
  noteNotFound: "There is no note '{path}'. search_notes finds notes by their words, glob_files by their names.",
  noteNotUnique: "Several notes are called '{path}': give the path of one of them.",
  noteSources: 'Sources: {sources}',
  noteMethod: 'Notes are ranked by the words that they have in common with the query, not by meaning.',
  noTags: 'No note has a tag.',
  tagLine: '{tag} ({count})',
  moreTags: '[There are {count} more tags, which fewer notes have.]',
  moreNotes: '[{count} more notes match: raise limit, or ask for something more special.]',
  timeRange: "'{text}' is not a time: give a date such as 2026-01-31, or with a time as 2026-01-31T09:00.",
  emptyQuery: 'The query is empty: give words, or tags such as #project.',
} as const;

export type TextName = keyof typeof texts;

/** Fills in a text. */
export function say(name: TextName, values: TextValues = {}): string {
  return fill(texts[name], values);
}
